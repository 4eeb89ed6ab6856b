import FoundationEssentials
import Glibc
import HostSystem
import JSONRPC
import ViperKit
import ViperRuntime

/// `host serve`: serves routes to other programs until it is stopped.
struct ServeCommand {
    let options: Options

    /// The time within which a host on standard input and output must exit after its client disconnects. Such a host is
    /// usually a worker, and its parent host may have crashed.
    private static let timeout = Duration.seconds(2)

    func output() async throws -> String {
        // A client that disconnects must not end the process.
        signal(SIGPIPE, SIG_IGN)
        // Reserve the descriptors before any other code can print.
        let client = options.isAtStandardIO ? try StandardIO.take() : nil
        let host = try options.isAsIs ? options.makeHost() : options.makeLiveHost(callLimit: options.limits.time)
        let end = ServeEnd(of: host)
        let server = Server(host, limits: options.limits, log: Self.tell)
        // Handle signals before any module is loaded, so that a signal always removes the host's folder.
        let signals = Signals(rescan: { Task { await host.rescan() } }, atOnce: { host.removeFolder() }) {
            [time = options.limits.time] _ in
            Self.tell("shutting down; waits up to \(time) for running calls")
            server.drain()
            // Running calls may take as long as the time limit for one call. Stopping the modules may take the same
            // time, plus one second.
            end.limit(to: time * 2 + .seconds(1))
        }
        var log: Task<Void, Never>?
        if !options.isAsIs {
            host.checkLibraries()
            log = host.logChanges()
            host.watch()
        }
        if let client {
            server.serve(reading: client.reading, writing: client.writing) { end.limit(to: Self.timeout) }
        } else {
            let path =
                try options.socket.map { try SocketPath($0) }
                ?? SocketPath.standard(ProcessInfo.processInfo.environment, host.trust)
            try server.listen(at: path)
            Self.tell("serving on \(path.path)")
        }
        await server.ended()
        // Stop the log before the shutdown, so that it does not report each module as retired.
        log?.cancel()
        await log?.value
        await host.shutDown()
        withExtendedLifetime(signals) {}
        return ""
    }

    @Sendable
    private static func tell(_ line: String) { LogOutput.write("host: \(line)") }
}
