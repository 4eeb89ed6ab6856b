import Glibc
import Synchronization

/// The signal by which a worker must end, after it has ended its calls and modules.
///
/// If a worker exited with a code, its host would blame the module for the exit.
enum EndingSignal {
    // 0 if this process must not end by a signal.
    private static let number = Atomic<Int32>(0)

    static func note(_ number: Int32) { Self.number.store(number, ordering: .relaxed) }

    /// Ends the process by the noted signal. Does nothing if no signal was noted. A signal handler may call this method.
    static func endProcess() {
        let number = number.load(ordering: .relaxed)
        if number == 0 { return }
        signal(number, SIG_DFL)
        // Dispatch blocks signals in its threads.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        raise(number)
    }
}
