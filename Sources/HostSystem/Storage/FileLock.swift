import Glibc
import ViperKit

/// A file lock that excludes other tasks and processes. The lock is released when the value is destroyed. Forked
/// children close its descriptor.
struct FileLock: ~Copyable {
    enum Attempt: ~Copyable {
        case held(FileLock)
        case inUse
        /// The lock file does not exist, so nothing has been written yet. Only readers get this result.
        case missing
    }

    private let descriptor: Int32

    /// Tries to lock a file without waiting. Readers share the lock. A writer creates the file if it is missing.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed`` if the file cannot be opened or locked.
    static func attempt(_ path: String, _ access: StoreFolder.Access) throws(ViperError) -> Attempt {
        // A reader does not create the file, because the folder may be read-only.
        let flags = access == .reading ? O_RDONLY : O_RDWR | O_CREAT
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if descriptor < 0, errno == ENOENT, access == .reading { return .missing }
        guard descriptor >= 0 else { throw storeFailure("cannot lock file", path) }
        // The lock belongs to this open file description, so it also excludes other tasks in this process. The system
        // releases the lock when the process is killed.
        while flock(descriptor, (access == .reading ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            let number = errno
            close(descriptor)
            if number == EWOULDBLOCK { return .inUse }
            throw storeFailure("cannot lock file", path, errno: number)
        }
        return .held(FileLock(descriptor: descriptor))
    }

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        CloseOnFork.insert(descriptor)
    }

    consuming func release() {}

    deinit {
        // Closing the descriptor alone may not release the lock, because a child that another thread has just started
        // may still have a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        CloseOnFork.remove(descriptor)
        close(descriptor)
    }
}
