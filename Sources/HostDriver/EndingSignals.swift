import Dispatch
import Glibc
import Synchronization

/// A handler for the signals that end this process. It kills the child processes, removes the scratch folders, and exits
/// with 128 plus the signal's number.
public final class EndingSignals {
    private static let ending = Mutex<Void>(())

    // This property retains the sources so that they stay active.
    private let sources: [any DispatchSourceSignal]

    /// Creates a handler that is installed for SIGHUP, SIGINT, SIGQUIT and SIGTERM.
    public init() {
        let queue = DispatchQueue(label: "EndingSignals")
        let registered = DispatchGroup()
        sources = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].map { number in
            // The source receives signals even if they are ignored.
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                // Lock order: this lock, then the one of starting children. The process exits with both.
                Self.ending.withLock { _ in
                    RunFolder.end()
                    _exit(128 + number)
                }
            }
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.activate()
            return source
        }
        // A signal that arrives before registration would be lost.
        registered.wait()
    }

    /// Waits until this process exits if it is ending because of a signal. Otherwise returns at once.
    ///
    /// Call this method before you report a failure, because killed children also cause failures.
    public static func waitIfEnding() { ending.withLock { _ in } }
}
