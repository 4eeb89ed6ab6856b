import FoundationEssentials
import Glibc

/// What a folder looks like from outside, to be held against what it looks like later.
struct FolderListing {
    private struct State: Equatable {
        var device: dev_t
        var file: ino_t
        var size: off_t
        var permissions: mode_t
        /// When content or permissions last changed, in seconds and nanoseconds. Nobody can set that time.
        var changed: [Int]
    }

    private var files: [String: State] = [:]

    /// The folder as it is now. One that cannot be listed is as one that is empty.
    init(of folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where !WatchPlan.isPassing(name) {
            var status = stat()
            // A link that leads nowhere looks as if nothing were there.
            guard stat("\(folder)/\(name)", &status) == 0 else { continue }
            files[name] = State(
                device: status.st_dev, file: status.st_ino, size: status.st_size, permissions: status.st_mode,
                changed: [status.st_ctim.tv_sec, status.st_ctim.tv_nsec])
        }
    }

    /// The names that are new, gone or of another content.
    func changes(since earlier: FolderListing) -> Set<String> {
        Set(files.keys).union(earlier.files.keys).filter { files[$0] != earlier.files[$0] }
    }
}
