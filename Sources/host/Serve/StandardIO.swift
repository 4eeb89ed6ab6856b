import CSystem
import Glibc
import ViperKit
import ViperRuntime

/// Standard input and output in the hands of a protocol, out of reach of whatever else the process reads and prints.
enum StandardIO {
    /// Takes both. Who reads standard input afterwards finds it empty, and what is printed goes to standard error.
    static func take() throws(ViperError) -> (reading: Int32, writing: Int32) {
        // Above the standard ones, and closed on exec: no program that a module starts holds the client.
        let reading = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let writing = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let null = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard reading >= 0, writing >= 0, null >= 0, dup2(null, STDIN_FILENO) >= 0,
            dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
        else {
            throw ViperError(
                .socketFailed, "cannot serve at", "standard input and output", cause: String(cString: strerror(errno)))
        }
        close(null)
        // It is no terminal: whole blocks would be waited for, and lost in a crash.
        buffer_output_by_line()
        return (reading, writing)
    }
}
