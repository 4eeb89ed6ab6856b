import Dispatch
import Glibc
import HostSystem
import ViperKit

/// The state of a watcher. Each change returns the steps to perform next.
struct WatcherState {
    struct Steps: OptionSet {
        let rawValue: Int
        /// The watcher must wake the receiver.
        static let report = Steps(rawValue: 1)
        /// The watcher must wait for notices from the kernel.
        static let listen = Steps(rawValue: 2)
        /// The watcher must list the folders later.
        static let poll = Steps(rawValue: 4)
        /// The watcher must plan again, because folders or links may have changed.
        static let plan = Steps(rawValue: 8)
    }

    /// A reason to look at the folders.
    enum Change { case begin, notices, poll, plan }

    private let folders: [String]
    /// The watches of the kernel. Nil while the kernel sends no notices.
    private(set) var kernel: Kernel?
    private var current = WatchPlan(of: [])
    /// False if folders or links changed while the plan was made.
    private var isPlanValid = true
    private var report: Set<String> = []
    private var polling = Polling()

    struct Kernel {
        let inotify: Inotify
        var source: (any DispatchSourceRead)?
        /// The paths for each watched folder, keyed by the number of the folder's watch.
        var watched: [Int32: Set<String>] = [:]
    }

    private struct Polling {
        /// The latest listings of the folders. Empty while the kernel sends notices.
        var listings: [String: FolderListing] = [:]
        var isDue = false
        var warnings: Set<String> = []
        /// The warnings that are not logged yet.
        var untold: [String] = []
        /// True if the watcher was stopped.
        var isOver = false
    }

    init(folders: [String]) { self.folders = folders }

    mutating func apply(_ change: Change) -> Steps {
        switch change {
        case .begin: begin()
        case .notices: takeNotices()
        case .poll: poll()
        case .plan: plan()
        }
    }

    mutating func listen(with source: any DispatchSourceRead) { kernel?.source = source }

    private mutating func begin() -> Steps {
        let steps = plan()
        // Files that existed before the watcher started are not reported.
        report = []
        return steps.subtracting(.report)
    }

    /// Ends watching.
    ///
    /// - Returns: What the caller cancels and releases.
    mutating func end() -> Kernel? {
        (polling.isOver, report) = (true, [])
        return kernel.take()
    }

    mutating func takeReport() -> Set<String> {
        defer { report = [] }
        return report
    }

    /// Returns the warnings since the last call.
    mutating func takeWarnings() -> [String] {
        defer { polling.untold = [] }
        return polling.untold
    }

    private mutating func takeNotices() -> Steps {
        var steps: Steps = isPlanValid ? [] : .plan
        for notice in kernel?.inotify.notices() ?? [] {
            if notice.kind == .lost { steps.formUnion(add(Set(folders)).union(.plan)) }
            for folder in kernel?.watched[notice.watch] ?? [] { steps.formUnion(take(notice, in: folder)) }
        }
        return steps
    }

    private mutating func take(_ notice: Inotify.Notice, in folder: String) -> Steps {
        if notice.kind == .folderGone { return add(current.paths(dependingOn: folder)).union(.plan) }
        let paths = current.paths(for: notice.name, in: folder)
        if paths.isEmpty { return [] }
        let file = "\(folder)/\(notice.name)"
        // Planning lists the folders. It is only necessary if the name was or is a link or a folder.
        let isFollowed = notice.isFolder || current.follows(notice.name, in: folder)
        switch notice.kind {
        case .gone: return add(paths).union(isFollowed ? .plan : [])
        case .created where !notice.isFolder: return takeNew(file, paths)
        case .changed where !notice.isFolder: return add(paths)
        default: return add(paths).union(isFollowed || linkTarget(file) != nil ? .plan : [])
        }
    }

    /// Handles a new name that is not a folder.
    private mutating func takeNew(_ file: String, _ paths: Set<String>) -> Steps {
        var status = stat()
        guard lstat(file, &status) == 0 else { return [] }
        // A symbolic link is complete when it appears.
        if status.st_mode & S_IFMT == S_IFLNK { return add(paths).union(.plan) }
        if status.st_nlink > 1 || status.st_mode & S_IFMT != S_IFREG { return add(paths) }
        // If a file was written without a name and then linked into the folder, it is already complete, and no close
        // follows. The writer of an empty file closes it later.
        return status.st_size > 0 ? add(paths) : []
    }

    private mutating func add(_ paths: Set<String>) -> Steps {
        report.formUnion(paths)
        return paths.isEmpty ? [] : .report
    }

    /// Plans which folders to watch, and performs the plan by setting the watches. Also reports the contents of newly
    /// watched folders. If the kernel cannot watch a folder, starts listing the folders instead.
    ///
    /// - Returns: The steps that the watcher must perform next.
    private mutating func plan() -> Steps {
        if polling.isOver { return [] }
        var steps: Steps = []
        if kernel == nil {
            do { kernel = Kernel(inotify: try Inotify()) } catch {
                return list(insteadOf: folders.joined(separator: ", "), error.errno)
            }
            steps = .listen
        }
        let earlier = Set(watched.keys)
        var (tried, failure) = (earlier, nil as (folder: String, errno: Int32)?)
        // Repeat until the plan is still valid after the watches are set. From then on, every change causes a notice.
        // If the folders keep changing, the next notice causes a new plan.
        isPlanValid = false
        for _ in 1...5 where !isPlanValid {
            current = WatchPlan(of: folders)
            failure = watch()
            tried.formUnion(watched.keys)
            isPlanValid = failure?.errno != ENOENT && WatchPlan(of: folders) == current
        }
        for number in tried.subtracting(watched.keys) { kernel?.inotify.forget(number) }
        for folder in watched.filter({ !earlier.contains($0.key) }).values.joined() {
            steps.formUnion(add(current.paths(dependingOn: folder)))
        }
        if let failure { return steps.union(list(insteadOf: failure.folder, failure.errno)) }
        polling.listings = [:]
        return steps
    }

    private var watched: [Int32: Set<String>] { kernel?.watched ?? [:] }

    /// Sets the watches that the plan requires. Returns the first folder that cannot be watched, or nil if all folders
    /// are watched.
    private mutating func watch() -> (folder: String, errno: Int32)? {
        var failure: (folder: String, errno: Int32)?
        kernel?.watched = [:]
        // The folders are sorted, so that a folder is watched before its subfolders. If a subfolder is replaced
        // afterwards, the folder's watch sends a notice.
        for folder in current.folders.sorted() {
            do {
                if let number = try kernel?.inotify.watch(folder) {
                    kernel?.watched[number, default: []].insert(folder)
                }
            } catch {
                failure = failure ?? (folder, error.errno)
            }
        }
        return failure
    }

    /// Starts listing the folders periodically, because the kernel cannot watch one of them.
    private mutating func list(insteadOf folder: String, _ errno: Int32) -> Steps {
        let fix =
            switch errno {
            case EMFILE: "raise fs.inotify.max_user_instances or ulimit -n"
            case ENOSPC: "raise fs.inotify.max_user_watches"
            case EACCES: "make it readable"
            default: "see inotify(7)"
            }
        let warning =
            "cannot watch \(folder): \(String(cString: strerror(errno))); polls every 2 s instead; "
            + "fix: \(fix)"
        if polling.warnings.insert(warning).inserted { polling.untold.append(warning) }
        var steps: Steps = []
        if polling.listings.isEmpty {
            for folder in folders { polling.listings[folder] = FolderListing(of: folder) }
            steps = add(Set(folders))
        }
        if !polling.isDue { steps.insert(.poll) }
        polling.isDue = true
        return steps
    }

    private mutating func poll() -> Steps {
        polling.isDue = false
        var changed: Set<String> = []
        for (folder, earlier) in polling.listings {
            let listing = FolderListing(of: folder)
            changed.formUnion(listing.changes(since: earlier).map { "\(folder)/\($0)" })
            polling.listings[folder] = listing
        }
        // The kernel may be able to watch the folders again.
        return add(changed).union(plan())
    }
}
