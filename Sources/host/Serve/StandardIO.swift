import CSystem
import Glibc
import JSONRPC
import ViperKit

/// Standard input and output, reserved for a protocol. Other code in the process cannot access them.
enum StandardIO {
    /// Returns duplicates of both descriptors for exclusive use by the caller. After this call, standard input is
    /// empty, and standard output is redirected to standard error.
    static func take() throws(ViperError) -> (reading: Int32, writing: Int32) {
        // Set close-on-exec, so that programs that a module starts do not keep the connection open.
        let reading = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        let writing = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        // The read end of a pipe without a writer is empty. Unlike /dev/null, it also exists in a bare container.
        var ends: [Int32] = [-1, -1]
        guard reading >= 0, writing >= 0, pipe2(&ends, O_CLOEXEC) == 0, dup2(ends[0], STDIN_FILENO) >= 0,
            dup2(STDERR_FILENO, STDOUT_FILENO) >= 0
        else {
            throw ViperError(
                .socketFailed, operation: "cannot serve on", subject: "standard input and output",
                cause: String(cString: strerror(errno)))
        }
        for end in ends { close(end) }
        // Buffer by line, because full buffering would delay the output and lose it in a crash.
        buffer_output_by_line()
        return (reading, writing)
    }
}
