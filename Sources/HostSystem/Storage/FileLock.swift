import Glibc
import ViperKit

/// A lock that tasks and processes respect which use the same file. Closed when the value goes, and in every forked child.
struct FileLock: ~Copyable {
    /// What came of asking for a lock.
    enum Attempt: ~Copyable {
        case held(FileLock)
        /// Another task or process holds the lock.
        case inUse
        /// A reader found no file, so there was no writer either.
        case missing
    }

    private let descriptor: Int32

    /// Asks for a lock once, without waiting; readers share it. A writer creates the file if it is missing.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed``.
    static func attempt(_ path: String, _ access: StoreFolder.Access) throws(ViperError) -> Attempt {
        // A reader creates no file: the folder may be one that it cannot write.
        let flags = access == .reading ? O_RDONLY : O_RDWR | O_CREAT
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if descriptor < 0, errno == ENOENT, access == .reading { return .missing }
        guard descriptor >= 0 else { throw storeFailure("cannot lock", path) }
        // Each open has a lock of its own, so this also holds off the other tasks of this process. The system releases it
        // when the process is killed.
        while flock(descriptor, (access == .reading ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { return .inUse }
            throw storeFailure("cannot lock", path, errno: number)
        }
        return .held(FileLock(descriptor: descriptor))
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        CloseOnFork.insert(descriptor)
    }

    consuming func release() {}

    deinit {
        // Closing alone would not do while a child that another thread starts has not yet closed its copy.
        flock(descriptor, LOCK_UN)
        CloseOnFork.remove(descriptor)
        close(descriptor)
    }
}
