import Dispatch
import FoundationEssentials
import Glibc
import ViperKit
import ViperRuntime

/// `host serve`: serves routes to other programs until it is told to end.
struct ServeCommand {
    let options: Options

    // Of its own, so that nothing that a module blocks keeps the process from ending.
    private static let endings = DispatchQueue(label: "endings")
    /// How long a host without a client stays that serves this client only. It is a worker mostly, and its host may have died.
    private static let patience = Duration.seconds(2)

    func output() async throws -> String {
        // A client that leaves early is no reason to end.
        signal(SIGPIPE, SIG_IGN)
        // Before anything can print.
        let client = options.isAtStandardIO ? try StandardIO.take() : nil
        if options.isAsIs { Parent.endWithIt() }
        let host = try options.isAsIs ? options.makeHost() : options.makeLiveHost(callLimit: options.limits.time)
        var log: Task<Void, Never>?
        if !options.isAsIs {
            host.checkLibraries()
            log = host.logChanges()
            host.watch()
        }
        let server = Server(host, limits: options.limits, log: Self.tell)
        let signals = Signals(rescan: { Task { await host.rescan() } }) { [time = options.limits.time] _ in
            Self.tell("ending; calls have \(time) to be answered")
            server.drain()
            // Twice the time of a call: one for those that are being done, one for the modules to stop.
            Self.end(after: time * 2 + .seconds(1), saying: "a module does not stop; it is left alone")
        }
        if let client {
            server.serve(reading: client.reading, writing: client.writing) { Self.end(after: Self.patience) }
        } else {
            let path = try options.socketPath(options.socket)
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

    /// Ends the process, if it is still there after a while: the main actor may be blocked for good.
    private static func end(after time: Duration, saying reason: String? = nil) {
        endings.asyncAfter(deadline: .now() + .milliseconds(Int(time / .milliseconds(1)))) {
            if let reason { tell(reason) }
            _exit(0)
        }
    }

    @Sendable
    private static func tell(_ line: String) {
        // Who cannot be told does not keep others from being served.
        try? Terminal.write(printableLines("host: \(line)\n"), to: STDERR_FILENO)
    }
}

extension Options {
    /// The socket at a path, or where all look for it.
    func socketPath(_ path: String?) throws(ViperError) -> SocketPath {
        if let path { return try SocketPath(path) }
        return try SocketPath.standard(ProcessInfo.processInfo.environment)
    }
}
