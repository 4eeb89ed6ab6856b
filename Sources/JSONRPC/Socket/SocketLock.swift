import Glibc
import HostSystem
import Synchronization
import ViperKit

/// A file lock that shows that a running host is using a socket path. The system releases the lock when the host is
/// killed.
final class SocketLock: Sendable {
    private let path: String
    private let descriptor: Mutex<Int32?>

    /// Creates a lock for a socket path, and takes it.
    ///
    /// - Throws: ``ViperError/Code/socketFailed`` if another host holds the lock, or if another user owns or holds the
    ///   lock file.
    init(_ socket: SocketPath) throws(ViperError) {
        path = socket.file + ".lock"
        while true {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
            var file = stat()
            guard descriptor >= 0 else {
                let number = errno
                if number == ENOENT { throw SocketPath.failure(socket.path, "its folder does not exist") }
                if lstat(path, &file) == 0 { try Self.check(file, at: path, for: socket) }
                throw SocketPath.failure(socket.path, "its lock file \(path): \(systemReason(number))")
            }
            do {
                if fstat(descriptor, &file) == 0 { try Self.check(file, at: path, for: socket) }
                guard try Self.lock(descriptor, at: path, for: socket) else {
                    close(descriptor)
                    continue
                }
            } catch {
                close(descriptor)
                throw error
            }
            // A host that has just exited may have removed the file after it was opened. In that case, the loop tries
            // again.
            if fstat(descriptor, &file) == 0, file.st_nlink > 0 {
                // Without this call, a forked child would keep the lock after this process exits.
                CloseOnFork.insert(descriptor)
                self.descriptor = Mutex(descriptor)
                return
            }
            close(descriptor)
        }
    }

    deinit { release() }

    func release() {
        guard let held = descriptor.withLock({ $0.take() }) else { return }
        // The file is removed before the lock is released. After the release, it could be the lock file of another host, as
        // it is if another program has removed the own one.
        if Self.isFile(held, at: path) { unlink(path) }
        CloseOnFork.remove(held)
        close(held)
    }

    /// True if the lock file exists. Without it, another host can take the socket's path.
    var isInPlace: Bool {
        guard let held = descriptor.withLock({ $0 }) else { return false }
        return Self.isFile(held, at: path)
    }

    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (held, named) = (stat(), stat())
        return fstat(descriptor, &held) == 0 && lstat(path, &named) == 0 && held.st_dev == named.st_dev
            && held.st_ino == named.st_ino
    }

    /// Throws if an untrusted user owns the lock file, because that user could take the lock at any time. Also throws
    /// if the lock file is not a regular file.
    private static func check(_ file: stat, at path: String, for socket: SocketPath) throws(ViperError) {
        let isRegular = file.st_mode & S_IFMT == S_IFREG
        if PeerUser.trusts(file.st_uid), isRegular { return }
        let name = PeerUser.name(of: file.st_uid)
        throw SocketPath.failure(
            socket.path, "its lock file \(path) belongs to \(name)\(isRegular ? "" : ", and is not a regular file")",
            fix: removal(of: path))
    }

    /// Takes the lock without waiting. Throws if another process holds it.
    ///
    /// - Returns: True if the lock was taken. False if a signal interrupted the call.
    private static func lock(_ descriptor: Int32, at path: String, for socket: SocketPath) throws(ViperError) -> Bool {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        let number = errno
        if number == EINTR { return false }
        guard number == EWOULDBLOCK else { throw SocketPath.failure(socket.path, systemReason(number)) }
        guard let holder = LockHolder(of: descriptor), !PeerUser.trusts(holder.user) else {
            throw SocketPath.failure(
                socket.path, "another host already listens on it",
                fix: "stop that host, or give another path")
        }
        let cause = "process \(holder.process) of \(PeerUser.name(of: holder.user)) holds its lock file \(path)"
        throw SocketPath.failure(socket.path, cause, fix: removal(of: path))
    }

    private static func removal(of path: String) -> String {
        "remove it with rm \(path), or give a path in a folder that only you can change"
    }
}
