import Glibc
import Synchronization

/// The signals that this process has received and not handled yet.
///
/// A signal handler records each signal and wakes the thread that waits in ``next()``. The state is static, because a
/// handler is a C function, which cannot capture values. Dispatch's signal sources do the same with descriptors, which a
/// module may close.
enum ReceivedSignals {
    enum Arrival {
        /// SIGHUP, if it does not end the command.
        case rescan
        /// SIGTSTP, SIGCONT or SIGWINCH, if the command draws on the terminal.
        case terminal(Int32)
        /// The first signal that ends the command.
        case first(Int32)
        /// A later signal that ends the command.
        case later(Int32)
    }

    // A C semaphore, because `sem_post` is one of the few functions that a handler may call. The pointer is written
    // once, before the handlers are installed, and never freed, so any thread may use it at any time.
    nonisolated(unsafe) private static let arrivals = {
        let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
        sem_init(semaphore, 0, 0)
        return semaphore
    }()
    private static let rescansOnHangUp = Atomic(false)
    private static let rescan = Atomic(false)
    private static let recordsTerminal = Atomic(false)
    private static let isTerminalForeign = Atomic(false)
    /// The signals about the terminal. Bit `n` stands for signal `n`.
    private static let terminal = Atomic<UInt32>(0)
    private static let isLeaving = Atomic(false)
    // The numbers of signals, or zero.
    private static let first = Atomic<Int32>(0)
    private static let later = Atomic<Int32>(0)

    /// Starts to record SIGHUP, SIGINT, SIGQUIT and SIGTERM.
    ///
    /// - Parameter rescans: True if SIGHUP does not end the command.
    static func record(rescans: Bool) {
        rescansOnHangUp.store(rescans, ordering: .relaxed)
        _ = (recordsTerminal.load(ordering: .relaxed), isTerminalForeign.load(ordering: .relaxed))
        _ = terminal.load(ordering: .relaxed)
        // The handler must not initialise static state, because it may interrupt a thread that does so.
        _ = (arrivals, rescan.load(ordering: .relaxed), isLeaving.load(ordering: .relaxed))
        _ = (first.load(ordering: .relaxed), later.load(ordering: .relaxed))
        ForcedExit.prepare()
        install()
    }

    /// Installs the handlers, also if other code has replaced them.
    static func install() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { ReceivedSignals.note($0) }
        // A call that a signal interrupts continues afterwards.
        action.sa_flags = SA_RESTART
        for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] { sigaction(number, &action, nil) }
        if !recordsTerminal.load(ordering: .relaxed) { return }
        for number in [SIGTSTP, SIGCONT, SIGWINCH] { sigaction(number, &action, nil) }
    }

    /// Also records SIGTSTP, SIGCONT and SIGWINCH from now on.
    static func recordTerminal() {
        recordsTerminal.store(true, ordering: .relaxed)
        install()
    }

    /// Stops this process, as SIGTSTP does without a handler. Returns when the process continues.
    static func stopProcess() {
        signal(SIGTSTP, SIG_DFL)
        // Sends the signal to this thread, which does not block it.
        raise(SIGTSTP)
        install()
    }

    /// Ignores SIGINT and SIGQUIT while another program uses the terminal, because the terminal sends them to both.
    static func setTerminalForeign(_ isForeign: Bool) { isTerminalForeign.store(isForeign, ordering: .relaxed) }

    /// Counts the next signal as a later one, because the command is already ending.
    static func beginLeaving() { isLeaving.store(true, ordering: .relaxed) }

    /// Waits for a signal.
    static func next() -> Arrival {
        while true {
            let number = later.exchange(0, ordering: .acquiring)
            if number != 0 { return .later(number) }
            let earlier = first.exchange(0, ordering: .acquiring)
            if earlier != 0 { return .first(earlier) }
            if rescan.exchange(false, ordering: .acquiring) { return .rescan }
            let signals = terminal.load(ordering: .acquiring)
            if signals != 0 {
                let number = signals.trailingZeroBitCount
                terminal.bitwiseAnd(~(1 << number), ordering: .relaxed)
                return .terminal(Int32(number))
            }
            // If a signal interrupts the call, the loop checks for it.
            sem_wait(arrivals)
        }
    }

    /// Records a signal. It runs in the signal handler, so it calls only async-signal-safe functions.
    private static func note(_ number: Int32) {
        let before = errno
        // An array would allocate memory.
        if number == SIGTSTP || number == SIGCONT || number == SIGWINCH {
            terminal.bitwiseOr(1 << UInt32(number), ordering: .releasing)
        } else if number == SIGINT || number == SIGQUIT, isTerminalForeign.load(ordering: .relaxed) {
            errno = before
            return
        } else if number == SIGHUP, rescansOnHangUp.load(ordering: .relaxed) {
            rescan.store(true, ordering: .releasing)
        } else if !isLeaving.exchange(true, ordering: .relaxed) {
            first.store(number, ordering: .releasing)
        } else {
            later.store(number, ordering: .releasing)
            // The thread that handles signals may wait for a lock that a module's thread holds.
            ForcedExit.begin(128 + number)
        }
        sem_post(arrivals)
        errno = before
    }
}
