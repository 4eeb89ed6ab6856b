import Glibc
import Synchronization
import ViperKit

/// A switch for the terminal's echo on standard input.
///
/// The state is static because a process has one terminal, and the thread that handles signals also needs the state.
enum Echo {
    /// The terminal's original modes. Nil while echo is on.
    private static let before = Mutex<termios?>(nil)

    /// Turns off echo, except for newlines. Does nothing if standard input is not a terminal.
    ///
    /// - Throws: `output-failed` if the terminal's modes cannot be changed. In this case, the caller must not ask for a
    ///   secret.
    static func turnOff() throws(ViperError) {
        try before.withLock { before throws(ViperError) in
            var modes = termios()
            guard before == nil, tcgetattr(STDIN_FILENO, &modes) == 0 else { return }
            before = modes
            modes.c_lflag = modes.c_lflag & ~tcflag_t(ECHO) | tcflag_t(ECHONL)
            // Disable Ctrl-\ and Ctrl-Z, which would leave the user in a shell with echo off. The value 0 means no key.
            // Swift imports the C array as a tuple.
            withUnsafeMutableBytes(of: &modes.c_cc) { keys in
                for key in [VSUSP, VQUIT] { keys[Int(key)] = 0 }
            }
            // TCSANOW in `set` keeps input that the user has already typed.
            if !set(modes) {
                throw ViperError(
                    .outputFailed, operation: "cannot turn off the echo of", subject: "the terminal",
                    cause: String(cString: strerror(errno)))
            }
        }
    }

    /// Restores the terminal's original modes. Does nothing if echo is on.
    static func restore() {
        before.withLock { before in
            if let modes = before { _ = set(modes) }
            before = nil
        }
    }

    private static func set(_ modes: termios) -> Bool {
        var modes = modes
        while tcsetattr(STDIN_FILENO, TCSANOW, &modes) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
