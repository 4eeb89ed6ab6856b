import Glibc

/// What a file is known by without reading it. Another content has another identity, unless somebody went to lengths.
package struct FileIdentity: Hashable, Sendable {
    private var device: dev_t
    private var number: ino_t
    /// In bytes.
    private(set) var size: Int
    // In nanoseconds. The second one nobody can set.
    private var modified: Int
    private var changed: Int

    /// Whether there is nothing in it.
    package var isEmpty: Bool { size == 0 }

    /// Nil when there is no file at this path.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The identity of an open file. Nil if the descriptor is invalid.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        (device, number, size) = (status.st_dev, status.st_ino, Int(status.st_size))
        modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
        changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }

    /// The time since the file last changed, by the clock of this machine. Negative if the change time is in the future.
    var age: Duration {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        return .nanoseconds(now.tv_sec &* 1_000_000_000 &+ now.tv_nsec &- changed)
    }
}
