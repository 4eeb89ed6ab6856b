import Dispatch
import Glibc
import HostSystem
import ViperKit

/// What a watcher knows. Each change of it says what is to be done next.
struct WatcherState {
    struct Steps: OptionSet {
        let rawValue: Int
        /// There is something to report.
        static let report = Steps(rawValue: 1)
        /// Notices are to be waited for.
        static let listen = Steps(rawValue: 2)
        /// Something was removed: look later whether it has come back.
        static let settle = Steps(rawValue: 4)
        /// The folders are to be listed, later.
        static let poll = Steps(rawValue: 8)
        /// Folders or links may be others than those that are watched.
        static let plan = Steps(rawValue: 16)
    }

    private let folders: [String]
    private let logger: LineLogger
    private(set) var inotify: Inotify?
    var source: (any DispatchSourceRead)?
    private var isOver = false

    private var current = WatchPlan(of: [])
    /// The folders behind each number. One folder may be known by several paths.
    private var watched: [Int32: Set<String>] = [:]
    /// The paths to report when they have not come back by then.
    private var leaving: [String: DispatchTime] = [:]
    private var report: Set<String> = []
    /// The folders as they were last seen, while the kernel cannot tell.
    private var listings: [String: FolderListing] = [:]
    private var isPollDue = false
    private var warnings: Set<String> = []

    init(folders: [String], logger: LineLogger) { (self.folders, self.logger) = (folders, logger) }

    mutating func begin() -> Steps {
        let steps = plan()
        // Nothing was seen before, so there is nothing to report.
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

    /// Takes what the kernel has to say.
    mutating func takeNotices() -> Steps {
        var steps: Steps = []
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
        switch notice.kind {
        case .gone: return expect(paths).union(.plan)
        case .created where !notice.isFolder: return takeNew("\(folder)/\(notice.name)", paths)
        case .changed where !notice.isFolder: return add(paths)
        default: return add(paths).union(.plan)
        }
    }

    /// A name that is new, and no folder.
    private mutating func takeNew(_ file: String, _ paths: Set<String>) -> Steps {
        var status = stat()
        guard lstat(file, &status) == 0 else { return [] }
        // A link is whole as soon as it is there.
        if status.st_mode & S_IFMT == S_IFLNK { return add(paths).union(.plan) }
        if status.st_nlink > 1 { return add(paths) }
        for path in paths { leaving[path] = nil }
        // Most often its writer has just begun, and will close it. But a file that was written without a name, and then got one,
        // is whole, and nobody will close it.
        return status.st_size > 0 ? expect(paths) : []
    }

    /// To be reported.
    private mutating func add(_ paths: Set<String>) -> Steps {
        for path in paths { leaving[path] = nil }
        report.formUnion(paths)
        return paths.isEmpty ? [] : .report
    }

    /// To be reported when nothing else happens to them.
    private mutating func expect(_ paths: Set<String>) -> Steps {
        for path in paths { leaving[path] = .now() + Watcher.patience }
        return paths.isEmpty ? [] : .settle
    }

    /// Reports what has not come back.
    mutating func settle() -> Steps {
        let now = DispatchTime.now()
        return add(Set(leaving.filter { $0.value <= now }.keys))
    }

    /// Brings what is watched in line with how folders and links are now, and reports what depends on folders that are new.
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
        // Until everything is still so after it is watched: from then on every change is told. Who changes folders without pause
        // causes another notice.
        for _ in 1...5 {
            current = WatchPlan(of: folders)
            failure = watch()
            tried.formUnion(watched.keys)
            if failure?.errno != ENOENT, WatchPlan(of: folders) == current { break }
        }
        for number in tried.subtracting(watched.keys) { inotify?.forget(number) }
        for folder in watched.filter({ !earlier.contains($0.key) }).values.joined() {
            steps.formUnion(add(current.paths(dependingOn: folder)))
        }
        if let failure { return steps.union(list(insteadOf: failure.folder, failure.errno)) }
        listings = [:]
        return steps
    }

    /// Watches what is to be watched, and returns the first folder that cannot be.
    private mutating func watch() -> (folder: String, errno: Int32)? {
        var failure: (folder: String, errno: Int32)?
        watched = [:]
        // Sorted, so that a folder comes before those in it, and one that is exchanged meanwhile is noticed.
        for folder in current.folders.sorted() {
            do {
                if let number = try inotify?.watch(folder) { watched[number, default: []].insert(folder) }
            } catch {
                failure = failure ?? (folder, error.errno)
            }
        }
        return failure
    }

    /// Lists the folders from time to time, because the kernel does not tell of one.
    private mutating func list(insteadOf folder: String, _ errno: Int32) -> Steps {
        let mend =
            switch errno {
            case EMFILE: "raise fs.inotify.max_user_instances or ulimit -n"
            case ENOSPC: "raise fs.inotify.max_user_watches"
            case EACCES: "allow reading it"
            default: "see inotify(7)"
            }
        let warning =
            "cannot watch \(folder): \(String(cString: strerror(errno))); looks there every 2 s; to mend, \(mend)"
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

    /// Reports what has changed since the folders were last listed.
    mutating func poll() -> Steps {
        isPollDue = false
        var changed: Set<String> = []
        for (folder, earlier) in listings {
            let listing = FolderListing(of: folder)
            changed.formUnion(listing.changes(since: earlier).map { "\(folder)/\($0)" })
            listings[folder] = listing
        }
        // Perhaps the kernel can tell again.
        return add(changed).union(plan())
    }
}
