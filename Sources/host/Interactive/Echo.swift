import Glibc
import Synchronization
import ViperKit

/// Whether the terminal of standard input shows what is typed.
///
/// Static, since a process has one terminal, and the thread that hears signals has to find its state as well.
enum Echo {
    /// How the terminal was before; nil while it shows what is typed.
    private static let before = Mutex<termios?>(nil)

    /// Lets the terminal show nothing but the end of the line. Does nothing where the input is no terminal.
    ///
    /// - Throws: `output-failed` when the terminal does not obey. Nobody is to be asked for a secret then.
    static func turnOff() throws(ViperError) {
        try before.withLock { before throws(ViperError) in
            var modes = termios()
            guard before == nil, tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
            before = modes
            modes.c_lflag = modes.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
            // Ctrl-Z and Ctrl-\ would leave the terminal to the shell as it is, so no key means that now, which is written
            // as 0. C has an array here, which Swift sees as a tuple.
            withUnsafeMutableBytes(of: &modes.c_cc) { keys in
                for key in [VSUSP, VQUIT] { keys[Int(key)] = 0 }
            }
            // What is typed already stays: a person who is fast is not to type it again.
            if !set(modes) {
                throw ViperError(
                    .outputFailed, "cannot hide what is typed on", "the terminal",
                    cause: String(cString: strerror(errno)))
            }
        }
    }

    /// Brings the terminal back to how it was. Does nothing where that is how it is.
    static func restore() {
        before.withLock { before in
            if let modes = before { _ = set(modes) }
            before = nil
        }
    }

    /// Whether the terminal obeyed; errno has the reason if not.
    private static func set(_ modes: termios) -> Bool {
        var modes = modes
        while tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
