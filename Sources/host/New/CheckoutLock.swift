import Glibc
import ViperKit

/// A lock on a checkout, because `host new` reads Package.swift before it changes it. It is released with the value, or
/// when the process ends.
struct CheckoutLock: ~Copyable {
    private let descriptor: Int32

    /// Waits for the lock.
    init(_ folder: String) throws(ViperError) {
        // Locks the folder, because each change replaces Package.swift with a new file.
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while descriptor < 0 || flock(descriptor, LOCK_EX) != 0 {
            if descriptor >= 0, errno == EINTR { continue }
            let cause = String(cString: strerror(errno))
            // All properties are set, so `deinit` runs and closes the descriptor.
            throw ViperError(
                .outputFailed, "cannot lock folder", folder, cause: cause,
                recoverySuggestion: "make it readable, on a file system that supports locks")
        }
    }

    deinit { close(descriptor) }
}
