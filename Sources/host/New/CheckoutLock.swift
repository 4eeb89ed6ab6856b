import Glibc
import ViperKit

/// Holds off every other `host new` in a checkout: who changes Package.swift reads it first. Let go of when the value goes, or the
/// process is killed.
struct CheckoutLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until the lock is free.
    init(_ folder: String) throws(ViperError) {
        // The folder, since Package.swift is another file after each change.
        descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        while descriptor < 0 || flock(descriptor, LOCK_EX) != 0 {
            if descriptor >= 0, errno == EINTR { continue }
            let cause = String(cString: strerror(errno))
            // The value is whole by now, so that deinit runs and closes it.
            throw ViperError(
                .outputFailed, "cannot lock", folder, cause: cause,
                mend: "allow reading it, on a file system that has locks")
        }
    }

    deinit { close(descriptor) }
}
