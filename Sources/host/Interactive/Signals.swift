import Dispatch
import Glibc
import Synchronization

/// Hears the signals that end a session. One lets it leave cleanly; one that comes while it leaves ends the process at once.
final class Signals {
    private let leaving = Leaving()
    // Held so that they go on.
    private let sources: [any DispatchSourceSignal]

    /// - Parameters:
    ///   - rescan: What SIGHUP means instead, to who serves for long.
    ///   - atOnce: Called before a second signal ends the process.
    init(
        rescan: (@Sendable () -> Void)? = nil, atOnce: @escaping @Sendable () -> Void = {},
        _ hear: @escaping @Sendable (Int32) -> Void
    ) {
        // Not the main queue: a module may block that.
        let queue = DispatchQueue(label: "signals")
        let registered = DispatchGroup()
        sources = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { [leaving] number in
            // The source sees it all the same.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if number == SIGHUP, let rescan { return rescan() }
                if leaving.begin() { return hear(number) }
                // Whoever asks twice does not want to wait for modules that do not end.
                Echo.restore()
                atOnce()
                _exit(128 + number)
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // Until then a signal would be lost. It takes no longer than a dispatch thread needs to start.
        registered.wait()
    }

    /// Says that the session leaves for another reason.
    func beginLeaving() { _ = leaving.begin() }

    private final class Leaving: Sendable {
        private let hasBegun = Atomic(false)
        /// Whether this is its beginning.
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
    }
}
