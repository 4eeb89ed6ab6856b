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
        /// The watcher must check later whether removed files have been restored.
        static let settle = Steps(rawValue: 4)
        /// The watcher must list the folders later.
        static let poll = Steps(rawValue: 8)
        /// The watcher must plan again, because folders or links may have changed.
        static let plan = Steps(rawValue: 16)
        /// The watcher must check after a longer time whether new files were closed.
        static let settleLate = Steps(rawValue: 32)
    }

    private let folders: [String]
    private let logger: LineLogger
    private(set) var inotify: Inotify?
    var source: (any DispatchSourceRead)?
    private var isOver = false

    private var current = WatchPlan(of: [])
    /// False if folders or links changed while the plan was made.
    private var isPlanValid = true
    /// The paths for each watched folder, keyed by the number of the folder's watch.
    private var watched: [Int32: Set<String>] = [:]
    /// The time at which each removed or new path will be reported, unless another notice arrives first.
    private var leaving: [String: DispatchTime] = [:]
    private var report: Set<String> = []
    /// The latest listings of the folders. Empty while the kernel sends notices.
    private var listings: [String: FolderListing] = [:]
    private var isPollDue = false
    private var warnings: Set<String> = []

    init(folders: [String], logger: LineLogger) { (self.folders, self.logger) = (folders, logger) }

    mutating func begin() -> Steps {
        let steps = plan()
        // Files that existed before the watcher started are not reported.
        report = []
        return steps.subtracting(.report)
    }

    mutating func end() {
        isOver = true
        source?.cancel()
        (source, inotify, report) = (nil, nil, [])
    }

    mutating func takeReport() -> Set<String> {
        defer { report = [] }
        return report
    }

    mutating func takeNotices() -> Steps {
        var steps: Steps = isPlanValid ? [] : .plan
        for notice in inotify?.notices() ?? [] {
            if notice.kind == .lost { steps.formUnion(add(Set(folders)).union(.plan)) }
            for folder in watched[notice.watch] ?? [] { steps.formUnion(take(notice, in: folder)) }
        }
        return steps
    }

    private mutating func take(_ notice: Inotify.Notice, in folder: String) -> Steps {
        if notice.kind == .folderGone { return expect(current.paths(dependingOn: folder)).union(.plan) }
        let paths = current.paths(for: notice.name, in: folder)
        if paths.isEmpty { return [] }
        let file = "\(folder)/\(notice.name)"
        // Planning lists the folders. It is only necessary if the name was or is a link or a folder.
        let isFollowed = notice.isFolder || current.follows(notice.name, in: folder)
        switch notice.kind {
        case .gone: return expect(paths).union(isFollowed ? .plan : [])
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
        // follows.
        if status.st_size > 0 { return expect(paths) }
        // The writer usually closes a new file later. A removed file is reported even if that never happens, for example
        // because a program only locks the new file.
        let removed = paths.filter { leaving[$0] != nil }
        for path in removed { leaving[path] = .now() + Watcher.writingTime }
        return removed.isEmpty ? [] : .settleLate
    }

    /// Reports paths immediately.
    private mutating func add(_ paths: Set<String>) -> Steps {
        for path in paths { leaving[path] = nil }
        report.formUnion(paths)
        return paths.isEmpty ? [] : .report
    }

    /// Reports paths later, unless another notice arrives first.
    private mutating func expect(_ paths: Set<String>) -> Steps {
        for path in paths { leaving[path] = .now() + Watcher.settlingTime }
        return paths.isEmpty ? [] : .settle
    }

    /// Reports the paths that are now due.
    mutating func settle() -> Steps {
        let now = DispatchTime.now()
        return add(Set(leaving.filter { $0.value <= now }.keys))
    }

    /// Plans which folders to watch, and performs the plan by setting the watches. Also reports the contents of newly
    /// watched folders. If the kernel cannot watch a folder, starts listing the folders instead.
    ///
    /// - Returns: The steps that the watcher must perform next.
    mutating func plan() -> Steps {
        if isOver { return [] }
        var steps: Steps = []
        if inotify == nil {
            do { inotify = try Inotify() } catch {
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
        for number in tried.subtracting(watched.keys) { inotify?.forget(number) }
        for folder in watched.filter({ !earlier.contains($0.key) }).values.joined() {
            steps.formUnion(add(current.paths(dependingOn: folder)))
        }
        if let failure { return steps.union(list(insteadOf: failure.folder, failure.errno)) }
        listings = [:]
        return steps
    }

    /// Sets the watches that the plan requires. Returns the first folder that cannot be watched, or nil if all folders
    /// are watched.
    private mutating func watch() -> (folder: String, errno: Int32)? {
        var failure: (folder: String, errno: Int32)?
        watched = [:]
        // The folders are sorted, so that a folder is watched before its subfolders. If a subfolder is replaced
        // afterwards, the folder's watch sends a notice.
        for folder in current.folders.sorted() {
            do {
                if let number = try inotify?.watch(folder) { watched[number, default: []].insert(folder) }
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
        if warnings.insert(warning).inserted { logger.log(.warning, warning) }
        var steps: Steps = []
        if listings.isEmpty {
            for folder in folders { listings[folder] = FolderListing(of: folder) }
            steps = add(Set(folders))
        }
        if !isPollDue { steps.insert(.poll) }
        isPollDue = true
        return steps
    }

    mutating func poll() -> Steps {
        isPollDue = false
        var changed: Set<String> = []
        for (folder, earlier) in listings {
            let listing = FolderListing(of: folder)
            changed.formUnion(listing.changes(since: earlier).map { "\(folder)/\($0)" })
            listings[folder] = listing
        }
        // The kernel may be able to watch the folders again.
        return add(changed).union(plan())
    }
}
