import Glibc
import HostSystem
import Synchronization
import ViperKit

/// The loan of this process's terminal to a front end. It restores the terminal if the front end cannot.
///
/// The state is static because a process has one terminal, and the threads that end the process also need the state.
enum TerminalLoan {
    private struct State {
        /// The terminal's modes before the loan. Nil if the terminal is not lent.
        var modes: termios?
        /// True while another program uses the terminal.
        var isForeign = false
        var notices: AsyncStream<TerminalNotice>.Continuation?
    }

    private static let state = Mutex(State())

    /// The text that ends any drawing: it turns off the mouse and pasting in brackets, resets colours, the keypad and
    /// character sets, leaves the second screen, and shows the cursor. Terminals ignore what they do not know.
    private static let ending: StaticString =
        "\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[?2004l\u{1B}(B\u{1B}[m\u{1B}[?1l\u{1B}>\u{1B}[?1049l\u{1B}[?25h"

    /// Lends the terminal. From now on, lines of the log become notices.
    ///
    /// - Returns: The notices for the front end.
    /// - Throws: ``ViperError/Code/outputFailed`` if the terminal's modes cannot be read.
    static func begin() throws(ViperError) -> AsyncStream<TerminalNotice> {
        var modes = termios()
        guard tcgetattr(STDIN_FILENO, &modes) == 0 else {
            throw ViperError(
                .outputFailed, operation: "cannot use", subject: "the terminal",
                cause: String(cString: strerror(errno)))
        }
        // The front end shows few lines, and the newest matter most.
        let (stream, notices) = AsyncStream.makeStream(of: TerminalNotice.self, bufferingPolicy: .bufferingNewest(256))
        state.withLock { $0 = State(modes: modes, notices: notices) }
        CrashHandler.setTerminal(modes: modes, text: ending)
        // A module may call `exit`.
        atexit { TerminalLoan.takeBack() }
        LogOutput.divert { notices.yield(.log($0)) }
        return stream
    }

    /// Ends the loan after the front end has left the terminal.
    static func end() { end(isDrawn: false) }

    /// Ends the loan although the front end may still draw. Does nothing if the terminal is not lent.
    static func takeBack() { end(isDrawn: true) }

    private static func end(isDrawn: Bool) {
        let ended = state.withLock { state in
            defer { state = State() }
            return state
        }
        guard let modes = ended.modes else { return }
        CrashHandler.setTerminal(modes: nil, text: "")
        if isDrawn { leave(modes) } else { set(modes) }
        LogOutput.divert(to: nil)
        ended.notices?.finish()
    }

    /// Handles SIGTSTP, SIGCONT and SIGWINCH.
    static func handle(_ signal: Int32) {
        let (modes, notices) = state.withLock { $0.isForeign ? (nil, nil) : ($0.modes, $0.notices) }
        switch signal {
        case SIGTSTP:
            if let modes { leave(modes) }
            ReceivedSignals.stopProcess()
            // A process whose shell has ended does not stop, and receives no SIGCONT.
            notices?.yield(.resumed)
        case SIGCONT: notices?.yield(.resumed)
        default: notices?.yield(.resized)
        }
    }

    static func setForeign(_ isForeign: Bool) {
        state.withLock { $0.isForeign = isForeign }
        ReceivedSignals.setTerminalForeign(isForeign)
    }

    private static func leave(_ modes: termios) {
        // A process in the background must not stop here.
        signal(SIGTTOU, SIG_IGN)
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        // A terminal that was stopped with Ctrl-S must not keep the process from ending.
        if poll(&output, 1, 0) == 1 { write(STDOUT_FILENO, ending.utf8Start, ending.utf8CodeUnitCount) }
        set(modes)
        signal(SIGTTOU, SIG_DFL)
    }

    private static func set(_ modes: termios) {
        var modes = modes
        while tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0, errno == EINTR {}
    }
}
