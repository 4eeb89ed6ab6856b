import Glibc
import ViperKit

/// A lock on a folder. `host new` holds the lock of a checkout while it reads and changes Package.swift. The lock is
/// released when the value is destroyed or the process ends.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until the lock on a folder is available, and acquires it.
    ///
    /// - Throws: `output-failed` if the folder cannot be locked.
    init(_ folder: String) throws(ViperError) {
        // Lock the folder instead of a file, because each change replaces the file with a new one.
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while descriptor < 0 || flock(descriptor, LOCK_EX) != 0 {
            if descriptor >= 0, errno == EINTR { continue }
            let cause = String(cString: strerror(errno))
            // All properties are set, so `deinit` runs and closes the descriptor.
            throw ViperError(
                .outputFailed, operation: "cannot lock folder", subject: folder, cause: cause,
                fix: "make it readable, on a file system that supports locks")
        }
    }

    deinit { close(descriptor) }
}
