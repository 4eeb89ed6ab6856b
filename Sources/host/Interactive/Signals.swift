import Dispatch
import Glibc
import Synchronization

/// A handler for the signals that end a command. The first signal starts a clean exit. A second signal ends the process
/// immediately.
final class Signals {
    private let leaving = Leaving()
    // This property retains the sources so that they stay active.
    private let sources: [any DispatchSourceSignal]

    /// Creates a handler that is installed for SIGHUP, SIGINT, SIGQUIT and SIGTERM.
    ///
    /// - Parameters:
    ///   - rescan: A closure to call for SIGHUP. If it is not nil, SIGHUP does not end the command.
    ///   - atOnce: A closure to call before a second signal ends the process.
    ///   - hear: A closure to call with the first signal.
    init(
        rescan: (@Sendable () -> Void)? = nil, atOnce: @escaping @Sendable () -> Void = {},
        _ hear: @escaping @Sendable (Int32) -> Void
    ) {
        // The queue is private, because a module may block the main queue.
        let queue = DispatchQueue(label: "signals")
        let registered = DispatchGroup()
        sources = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { [leaving] number in
            // The source receives signals even if they are ignored.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                if number == SIGHUP, let rescan { return rescan() }
                if leaving.begin() { return hear(number) }
                // On a second signal, exit without waiting for modules that do not stop.
                Echo.restore()
                atOnce()
                EndingSignal.endProcess()
                _exit(128 + number)
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // A signal that arrives before registration would be lost. The wait is short: only the dispatch thread has to
        // start.
        registered.wait()
    }

    /// Marks the session as ending for a reason other than a signal. The next signal then ends the process immediately.
    func beginLeaving() { _ = leaving.begin() }

    private final class Leaving: Sendable {
        private let hasBegun = Atomic(false)
        func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
    }
}
