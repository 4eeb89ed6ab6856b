import Glibc

/// What a file is known by without reading it. Another content has another identity, unless somebody went to lengths.
package struct FileIdentity: Equatable, Sendable {
    private var device: dev_t
    private var number: ino_t
    private var size: off_t
    // In nanoseconds. The second one nobody can set.
    private var modified: Int
    private var changed: Int

    /// Whether there is nothing in it.
    package var isEmpty: Bool { size == 0 }

    /// Nil when there is no file at this path.
    package init?(of path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, number, size) = (status.st_dev, status.st_ino, status.st_size)
        modified = status.st_mtim.tv_sec &* 1_000_000_000 &+ status.st_mtim.tv_nsec
        changed = status.st_ctim.tv_sec &* 1_000_000_000 &+ status.st_ctim.tv_nsec
    }
}
