import Glibc
import Synchronization

/// Whether the terminal of standard input shows what is typed.
///
/// Static, since a process has one terminal, and the thread that hears signals has to find its state as well.
enum Echo {
    /// How the terminal was before; nil while it shows what is typed.
    private static let before = Mutex<termios?>(nil)

    /// Lets the terminal show nothing but the end of the line. Does nothing where the input is no terminal.
    static func turnOff() {
        before.withLock { before in
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
            set(modes)
        }
    }

    /// Brings the terminal back to how it was. Does nothing where that is how it is.
    static func restore() {
        before.withLock { before in
            if let modes = before { set(modes) }
            before = nil
        }
    }

    private static func set(_ modes: termios) {
        var modes = modes
        while tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0, errno == EINTR {}
    }
}
