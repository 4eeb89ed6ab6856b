import Glibc

/// File metadata that identifies a file's content, so that the host can detect changes without reading the file.
///
/// The identity normally changes with the content. It stays the same only if a second change happens within one tick of
/// the kernel's clock and does not change the size.
package struct FileIdentity: Hashable, Sendable {
    private var device: dev_t
    private var number: ino_t
    private(set) var size: Int
    // Times in nanoseconds. A process can set the modification time, but not the change time.
    private var modified: Int
    private var changed: Int

    package var isEmpty: Bool { size == 0 }

    /// Creates an identity for the file at a path, following symbolic links. Returns nil if the file's metadata cannot
    /// be read.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// Creates an identity from its ``fields``. Returns nil if the number of fields is wrong.
    package init?(fields: [Int]) {
        guard fields.count == 5 else { return nil }
        (device, number) = (dev_t(truncatingIfNeeded: fields[0]), ino_t(truncatingIfNeeded: fields[1]))
        (size, modified, changed) = (fields[2], fields[3], fields[4])
    }

    /// The identity as numbers.
    package var fields: [Int] {
        [Int(truncatingIfNeeded: device), Int(truncatingIfNeeded: number), size, modified, changed]
    }

    init(_ status: stat) {
        (device, number, size) = (status.st_dev, status.st_ino, Int(status.st_size))
        modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
        changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }

    /// The time since the file last changed, according to this machine's clock. Negative if the change time is in the
    /// future.
    package var age: Duration {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .nanoseconds(now.tv_sec &* 1_000_000_000 &+ now.tv_nsec &- changed)
    }
}
