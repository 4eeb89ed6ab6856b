import JSONRPC
import ModuleIsolation
import ModuleRuntime
import ViperRuntime

/// The source of a window's scenes. It is either a new host or the host at `--via`.
struct SceneOrigin {
    let source: any SceneSource & Sendable
    /// The new host. Nil with `--via`.
    let host: ViperHost?
    /// A closure that shuts down the new host, or closes the connection to the host at `--via`. All windows must be
    /// closed before it is called.
    let end: @Sendable () async -> Void

    /// The time within which a host must end whose modules run.
    private static let timeout = Duration.seconds(10)

    init(of command: RunCommand) async throws {
        if let via = command.via.path {
            let host = try RemoteHost(at: SocketPath(via))
            source = host.scenes
            self.host = nil
            end = { await host.close() }
        } else {
            let configuration = try command.host.configuration()
            let host = try await ViperHost(configuration, for: RouteAddress(command.route ?? "").route)
            // A command that shows one screen must start fast.
            if command.isInteractive { await host.handleCrashes(configuration) }
            source = host.router
            self.host = host
            if !host.hasRuns {
                end = { await host.shutDown() }
                return
            }
            await host.startRunsOfEachHost()
            end = {
                // A module may ignore that its work is cancelled.
                if let limit = try? ShutdownLimit(of: host) { limit.limit(to: Self.timeout) }
                await host.shutDown()
            }
        }
    }

    @MainActor func window() -> Window { Window(source: source, outside: nil, identity: "terminal") }
}
