import Dispatch
import Glibc
import Synchronization

/// A handler for the signals that end a session. The first signal starts a clean exit. The next signal ends the process
/// immediately.
final class Signals {
    private let leaving = Leaving()
    // Retained so that they stay active.
    private let sources: [any DispatchSourceSignal]

    /// Handles the signals from now on.
    ///
    /// - Parameters:
    ///   - rescan: Called for SIGHUP, which then does not end the session.
    ///   - atOnce: Called before a second signal ends the process.
    ///   - hear: Called with the first signal.
    init(
        rescan: (@Sendable () -> Void)? = nil, atOnce: @escaping @Sendable () -> Void = {},
        _ hear: @escaping @Sendable (Int32) -> Void
    ) {
        // Not the main queue, because a module may block it.
        let queue = DispatchQueue(label: "signals")
        let registered = DispatchGroup()
        sources = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { [leaving] number in
            // The source receives signals even if they are ignored.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if number == SIGHUP, let rescan { return rescan() }
                if leaving.begin() { return hear(number) }
                // A second signal does not wait for modules that do not stop.
                Echo.restore()
                atOnce()
                _exit(128 + number)
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // A signal before this point would be lost. Starting the dispatch thread takes only a moment.
        registered.wait()
    }

    /// Marks the session as ending for another reason, so that the next signal ends the process immediately.
    func beginLeaving() { _ = leaving.begin() }

    private final class Leaving: Sendable {
        private let hasBegun = Atomic(false)
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
    }
}
