import ViperRuntime

/// Where the scenes come from that a person sees: a host that is made for it, or the one of `--via`.
struct SceneOrigin {
    let source: any SceneSource
    /// Ends it, after its windows were closed.
    let end: @Sendable () async -> Void

    init(_ options: Options) async throws {
        if let via = options.via {
            let host = try RemoteHost(at: SocketPath(via))
            source = host.scenes
            end = { await host.close() }
        } else {
            let host = try await ViperHost(options.configuration(), for: options.operands[0])
            source = host.router
            end = { await host.shutDown() }
        }
    }

    @MainActor func window() -> Window { Window(source: source, outside: nil) }
}
