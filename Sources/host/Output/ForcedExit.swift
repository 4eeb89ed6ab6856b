import Glibc
import Synchronization

/// An exit that modules cannot delay. The process ends after two seconds at most, even if the exiting thread waits for a
/// lock that another thread never releases.
enum ForcedExit {
    /// The exit code that the handler of SIGALRM uses.
    private static let code = Atomic<Int32>(EXIT_FAILURE)
    private static let hasBegun = Atomic(false)

    /// Runs a closure and exits with a code. The closure has two seconds.
    static func exit(_ code: Int32, after work: () -> Void) -> Never {
        begin(code)
        work()
        end(code)
    }

    /// Starts the two seconds after which the process exits with a code.
    ///
    /// A signal handler may call this method if it was called or prepared before: it calls only async-signal-safe
    /// functions. The kernel's timer needs neither a thread nor a descriptor.
    static func begin(_ code: Int32) {
        Self.code.store(code, ordering: .relaxed)
        // Each call of `alarm` would start the time again, so repeated signals would postpone the exit.
        if hasBegun.exchange(true, ordering: .relaxed) { return }
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in ForcedExit.end(ForcedExit.code.load(ordering: .relaxed)) }
        sigaction(SIGALRM, &action, nil)
        alarm(2)
    }

    /// Initialises the static state, which a signal handler must not do.
    static func prepare() {
        code.store(EXIT_FAILURE, ordering: .relaxed)
        hasBegun.store(false, ordering: .relaxed)
        EndingSignal.note(0)
    }

    /// Ends the process. A signal handler may call this method.
    private static func end(_ code: Int32) -> Never {
        EndingSignal.endProcess()
        _exit(code)
    }
}
