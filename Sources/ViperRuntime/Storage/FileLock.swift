import Glibc
import ViperKit

/// A lock that tasks and processes respect which use the same file. Closed when the value goes.
struct FileLock: ~Copyable {
    private let descriptor: Int32

    /// Waits until the lock is free; readers share it. The file is made when there is none.
    ///
    /// - Parameter patience: How long to wait. Far longer than any change takes: who holds it longer has stopped, or hangs.
    /// - Returns: Nil for a reader when there is no file: then there was no writer either.
    init?(_ path: String, _ access: StoreFolder.Access, patience: Duration) throws(ViperError) {
        // A reader makes no file: the folder may be one that it cannot write.
        let flags = access == .reading ? O_RDONLY : O_RDWR | O_CREAT
        descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
        if descriptor < 0, errno == ENOENT, access == .reading { return nil }
        guard descriptor >= 0 else { throw storeFailure("cannot lock", path) }
        // Each open has a lock of its own, so this also holds off the other tasks of this process. The system lets go of
        // it when the process is killed.
        let end = ContinuousClock.now + patience
        while flock(descriptor, (access == .reading ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            var failure = storeFailure("cannot lock", path)
            if errno == EWOULDBLOCK {
                if ContinuousClock.now < end {
                    // Another time for each that waits, so that they do not meet again and again.
                    usleep(.random(in: 500...5000))
                    continue
                }
                failure.cause = "another process holds it for more than \(patience)"
                failure.mend = "end that process; fuser \(path) names it"
            }
            // The value is whole by now, so that deinit runs and closes it.
            throw failure
        }
    }

    consuming func release() {}

    deinit {
        // Closing alone would not do while a child that another thread starts has not yet closed its copy.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
