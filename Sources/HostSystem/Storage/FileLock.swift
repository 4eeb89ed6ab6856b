import Glibc
import ViperKit

/// A lock between tasks and processes that open the same file. Released when the value is destroyed. Forked
/// children close it.
struct FileLock: ~Copyable {
    enum Attempt: ~Copyable {
        case held(FileLock)
        case inUse
        /// There is no file to lock for reading, so nothing has been written yet.
        case missing
    }

    private let descriptor: Int32

    /// Tries to lock a file, without waiting. Readers share the lock. A writer creates the file if it is missing.
    ///
    /// - Throws: ``ViperKit/ViperError/Code/storeFailed``.
    static func attempt(_ path: String, _ access: StoreFolder.Access) throws(ViperError) -> Attempt {
        // A reader does not create the file, because the folder may be read-only.
        let flags = access == .reading ? O_RDONLY : O_RDWR | O_CREAT
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if descriptor < 0, errno == ENOENT, access == .reading { return .missing }
        guard descriptor >= 0 else { throw storeFailure("cannot lock file", path) }
        // The lock belongs to this open file, so it also excludes other tasks of this process. The system releases it
        // when the process is killed.
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
        // Unlock explicitly. A child that another thread has just started may still have a copy of the descriptor.
        flock(descriptor, LOCK_UN)
        CloseOnFork.remove(descriptor)
        close(descriptor)
    }
}
