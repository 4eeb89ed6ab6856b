import Glibc
import Synchronization
import ViperKit

/// Says that a living host serves at a path. The system lets go of it when the host is killed.
final class SocketLock: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32?>

    /// - Throws: ``ViperError/Code/socketFailed`` when another host has it.
    init(_ socket: SocketPath) throws(ViperError) {
        path = socket.path + ".lock"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            guard descriptor >= 0 else {
                let cause = errno == ENOENT ? "there is no such folder" : systemReason(errno)
                throw SocketPath.failure(socket.path, cause)
            }
            if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                let number = errno
                close(descriptor)
                if number == EINTR { continue }
                let isHeld = number == EWOULDBLOCK
                throw SocketPath.failure(
                    socket.path, isHeld ? "another host serves there" : systemReason(number),
                    mend: isHeld ? "end that host, or give another path" : nil)
            }
            // A host that ended at this moment has removed the file that was opened: then anew.
            var status = stat()
            if fstat(descriptor, &status) == 0, status.st_nlink > 0 {
                self.descriptor = Mutex(descriptor)
                return
            }
            close(descriptor)
        }
    }

    deinit { release() }

    func release() {
        descriptor.withLock { descriptor in
            guard let held = descriptor else { return }
            // While it is still held, so that nobody else's is removed.
            unlink(path)
            close(held)
            descriptor = nil
        }
    }
}
