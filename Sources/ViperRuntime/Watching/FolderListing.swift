import FoundationEssentials
import Glibc

/// A snapshot of a folder's files, for comparison with a later snapshot.
struct FolderListing {
    private struct State: Equatable {
        var device: dev_t
        var file: ino_t
        var size: off_t
        var permissions: mode_t
        /// The time of the last change to the file's content or permissions, in seconds and nanoseconds. Programs
        /// cannot set this time.
        var changed: [Int]
    }

    private var files: [String: State] = [:]

    /// Creates a snapshot by listing a folder. A folder that cannot be listed counts as empty.
    init(of folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where !WatchPlan.isPassing(name) {
            var status = stat()
            // A symbolic link without a target counts as missing.
            guard stat("\(folder)/\(name)", &status) == 0 else { continue }
            files[name] = State(
                device: status.st_dev, file: status.st_ino, size: status.st_size, permissions: status.st_mode,
                changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
    }

    /// Returns the names that were added, removed or changed.
    func changes(since earlier: FolderListing) -> Set<String> {
        Set(files.keys).union(earlier.files.keys).filter { files[$0] != earlier.files[$0] }
    }
}
