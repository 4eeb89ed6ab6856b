import ViperKit

// The page about the host itself: its modules, and what they need from each other.
extension Site {
    static let hostPath = "/_host"
    private static let picturePath = "/_host/graph.svg"

    /// Answers a request of a browser with a session. Nil for another path.
    func hostPage(_ path: Substring, _ session: Session?) -> Reply? {
        switch path {
        case Self.hostPath:
            later { registry throws(ViperError) -> Response in
                let list = login == nil ? nil : session.map { SessionList(sessions.all, own: $0) }
                return Response(html: HostPage(try await registry.modules(), try await registry.graph(), list).text)
            }
        case Self.picturePath:
            later { registry throws(ViperError) in
                Response(200, "image/svg+xml", Array(try await registry.graph().utf8))
            }
        default: nil
        }
    }

    private func later(
        _ answer: @escaping @Sendable (any ModuleRegistry) async throws(ViperError) -> Response
    ) -> Reply {
        .later { [registry] in
            do throws(ViperError) { return try await answer(registry) } catch {
                return Response(problem: "The registry does not answer", error.summary, status: 500)
            }
        }
    }
}
