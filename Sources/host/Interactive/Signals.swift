import Glibc
import HostSystem
import ModuleRuntime
import ViperKit

/// The handling of the signals that end a command. The first signal starts a clean exit. A second signal ends the
/// process immediately.
enum Signals {
    /// Handles SIGHUP, SIGINT, SIGQUIT and SIGTERM from now on. A process calls this method once.
    ///
    /// - Parameters:
    ///   - rescan: A closure to call for SIGHUP. If it is not nil, SIGHUP does not end the command.
    ///   - terminal: A closure to call for SIGTSTP, SIGCONT and SIGWINCH. If it is nil, these signals have their default
    ///     actions.
    ///   - atOnce: A closure to call before a second signal ends the process.
    ///   - hear: A closure to call with the first signal.
    /// - Throws: ``ViperError/Code/resourceMissing`` if the thread for the closures cannot be started.
    static func handle(
        rescan: (@Sendable () -> Void)? = nil, terminal: (@Sendable (Int32) -> Void)? = nil,
        atOnce: @escaping @Sendable () -> Void = {},
        _ hear: @escaping @Sendable (Int32) -> Void
    ) throws(ViperError) {
        try startThread {
            while true {
                switch ReceivedSignals.next() {
                case .rescan: rescan?()
                case .terminal(let number): terminal?(number)
                case .first(let number): hear(number)
                case .later(let number): exit(by: number, atOnce)
                }
            }
        }
        ReceivedSignals.record(rescans: rescan != nil)
        if terminal != nil { ReceivedSignals.recordTerminal() }
    }

    /// Installs the handlers again after each of these changes, because the code of a new module may have replaced them.
    static func keep(after changes: some AsyncSequence<RegistryChange, Never> & Sendable) {
        Task.detached { for await _ in changes { ReceivedSignals.install() } }
    }

    /// Marks the session as ending for a reason other than a signal. The next signal then ends the process immediately.
    static func beginLeaving() { ReceivedSignals.beginLeaving() }

    /// Ends the process by a signal, without waiting for modules that do not stop.
    private static func exit(by number: Int32, _ atOnce: () -> Void) -> Never {
        ForcedExit.exit(128 + number) {
            Echo.restore()
            TerminalLoan.takeBack()
            atOnce()
        }
    }
}
