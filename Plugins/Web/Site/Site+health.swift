import ViperKit

// The answers to monitoring. A route of the same name has no page.
extension Site {
    /// Returns true if a path is that of a probe.
    static func isProbe(_ path: Substring) -> Bool { ["/healthz", "/readyz"].contains(path) }

    /// Answers a probe. Nil for another path. The host name is not checked, because balancers use the address.
    func probe(_ path: Substring) -> Reply? {
        switch path {
        case "/healthz": return .now(Self.text(200, "ok"))
        case "/readyz":
            return .later { [registry] in
                do throws(ViperError) {
                    // Waits for the modules that clients do not reach at their sockets yet. The host limits this time.
                    for await _ in registry.changes() {
                        if try await !registry.modules().contains(where: { $0.run == "starting" }) { break }
                    }
                    return try await registry.routes().isEmpty ? Self.text(503, "no routes") : Self.text(200, "ok")
                } catch { return Self.text(503, "no registry") }
            }
        default: return nil
        }
    }

    /// Returns the host's metrics. Where browsers have to log in, only a browser with a session gets them.
    func metrics(_ request: Request) -> Reply {
        if login != nil, sessions.session(request.cookie(cookie)) == nil {
            return refuse(.login, "Please log in", "The metrics are shown to browsers that are logged in.", 403)
        }
        return .later { [registry, logger] in
            do throws(ViperError) {
                let text = try await registry.metrics()
                return Response(200, "application/openmetrics-text; version=1.0.0; charset=utf-8", Array(text.utf8))
            } catch {
                logger.log(.warning, error.summary)
                return Self.text(500, "no metrics")
            }
        }
    }

    private static func text(_ status: UInt32, _ text: String) -> Response {
        Response(status, "text/plain; charset=utf-8", Array((text + "\n").utf8))
    }
}
