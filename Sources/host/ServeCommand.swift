import FoundationEssentials
import Glibc
import ViperKit
import ViperRuntime

/// `host serve`: serves routes to other programs until it is told to end.
struct ServeCommand {
    let options: Options

    /// How long a host without a client stays that serves this client only. It is a worker mostly, and its host may have died.
    private static let patience = Duration.seconds(2)

    func output() async throws -> String {
        // A client that leaves early is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        // Before anything can print.
        let client = options.isAtStandardIO ? try StandardIO.take() : nil
        let host = try options.isAsIs ? options.makeHost() : options.makeLiveHost(callLimit: options.limits.time)
        let end = ServeEnd(of: host)
        let server = Server(host, limits: options.limits, log: Self.tell)
        // Before anything is loaded, so that a signal finds all that has to be removed.
        let signals = Signals(rescan: { Task { await host.rescan() } }, atOnce: { host.removeFolder() }) {
            [time = options.limits.time] _ in
            Self.tell("ending; calls have \(time) to be answered")
            server.drain()
            // Twice the time of a call: one for those that are being done, one for the modules to stop.
            end.limit(to: time * 2 + .seconds(1))
        }
        var log: Task<Void, Never>?
        if !options.isAsIs {
            host.checkLibraries()
            log = host.logChanges()
            host.watch()
        }
        if let client {
            server.serve(reading: client.reading, writing: client.writing) { end.limit(to: Self.patience) }
        } else {
            let path = try options.socketPath(options.socket, host.trust)
            try server.listen(at: path)
            Self.tell("serving on \(path.path)")
        }
        await server.ended()
        // That all modules go now is no news.
        log?.cancel()
        await log?.value
        await host.shutDown()
        withExtendedLifetime(signals) {}
        return ""
    }

    @Sendable
    private static func tell(_ line: String) { LogOutput.write("host: \(line)") }
}

extension Options {
    /// The socket at a path, or where all look for it.
    ///
    /// - Parameter trust: Who may change the folders above it.
    func socketPath(_ path: String?, _ trust: Trust) throws(ViperError) -> SocketPath {
        if let path { return try SocketPath(path) }
        return try SocketPath.standard(ProcessInfo.processInfo.environment, trust)
    }
}
