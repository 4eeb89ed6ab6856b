/// A front end that draws a window on a terminal. `host run -i` uses the module that provides it.
///
/// The host lends the terminal for as long as ``show(on:)`` runs. It restores the terminal if the front end does not, such
/// as after a crash.
public protocol TerminalFrontEnd: Sendable {
    /// Draws a window and passes on what the user does. Returns when the window has closed, when the user quits, or when
    /// the task is cancelled. The terminal then has its earlier modes again.
    ///
    /// - Parameter terminal: The terminal, with the window to draw.
    /// - Throws: An error if the terminal can no longer be used.
    func show(on terminal: any LentTerminal) async throws(ViperError)
}

extension ServiceKey where Service == any TerminalFrontEnd {
    /// The front end for a terminal, named `terminal-front-end` in manifests. A module provides this service. If it cannot
    /// use the terminal of this process, its factory throws an error, and the host reads commands line by line instead.
    public static var terminalFrontEnd: Self { Self("terminal-front-end") }
}

/// A terminal that the host lends to a front end.
///
/// The host keeps the signals. It ends the session after SIGHUP, SIGINT, SIGQUIT and SIGTERM by cancelling the task, and
/// gives the terminal back to the shell after SIGTSTP. No other code of the host writes to the terminal.
public protocol LentTerminal: Sendable {
    /// The descriptor to read from.
    var input: Int32 { get }
    /// The descriptor to write to.
    var output: Int32 { get }
    /// The window to draw. Its first scene is open, but may still be loading.
    var window: any OpenWindow { get }
    /// The news about the terminal. Only one task can read the sequence. It ends with the session.
    var notices: AsyncStream<TerminalNotice> { get }

    /// Runs a program on the terminal, such as an editor. The front end must leave the terminal alone until this method
    /// returns. Ctrl-C then reaches the program only.
    ///
    /// - Parameter command: The program's path, or its name if it is in `PATH`, and its arguments.
    /// - Throws: `program-failed` if the program cannot be started, is killed, or exits with another code than 0.
    func run(_ command: [String]) async throws(ViperError)
}

/// News about a terminal that a front end uses.
///
/// Later versions may add cases, so include a `default` case in each `switch` over this type.
public enum TerminalNotice: Sendable, Equatable {
    /// The host or a module has logged this line, or an event of the command line has failed.
    case log(String)
    /// The terminal may have another size.
    case resized
    /// The process continues after it was stopped. Other programs have changed the terminal's modes and content.
    case resumed
}
