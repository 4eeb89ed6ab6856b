import FoundationEssentials
import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// An actor that keeps the registry up to date with the root. It adds, replaces and removes modules.
actor LiveRoot {
    /// The libraries that no manifest refers to.
    nonisolated let unreferencedLibraries: Mutex<[String]>
    private let root: Root
    private let index: CatalogIndex?
    let registry: Registry
    let activator: Activator
    let loader: Loader
    let logger: LineLogger
    /// The latest snapshot. Nil if the whole root must be read next.
    private var latest: RootScan?
    var seen: [String: FileVersion]
    // The time at which each manifest was first found to be missing, keyed by manifest file.
    private var missing: [String: ContinuousClock.Instant] = [:]
    private static let settlingTime = Duration.milliseconds(100)
    // Errors that are not the fault of a module, such as a lack of resources, keyed by manifest file. Each error is
    // logged once, and its file is retried.
    var postponed: [String: ViperError] = [:]
    var backOff = BackOff()
    // The manifest files of new or changed modules that must still be checked in a worker.
    var unproved: Set<String> = []
    // The task that checks them. Nil if there are none.
    var proving: Task<Void, Never>?
    private var schedule = RescanSchedule()
    var scheduledRescans: Int { schedule.count }
    // The next rescan, which has not started yet. Later requests share this rescan.
    var waiting: (scope: ScanScope, number: Int, task: Task<Void, Never>)?
    // The files that the next rescan reads. Nil if it reads the whole root.
    private var unread: Set<String>? = []
    var last: Task<Void, Never>?
    private var scanCount = 0
    var isOver = false
    // The error that prevents the root from being read. The error is logged only once.
    private var unreadable: ViperError?

    /// Creates an actor that updates a registry from a root.
    ///
    /// - Parameters:
    ///   - catalog: The catalog whose entries the registry starts with.
    ///   - isLive: False if the root will probably not be rescanned. The versions of the libraries are then not read,
    ///     and the first rescan checks all modules.
    init(
        root: Root, index: CatalogIndex?, catalog: Catalog, registry: Registry, activator: Activator, loader: Loader,
        logger: LineLogger, isLive: Bool
    ) {
        (self.root, self.index, self.registry, self.activator) = (root, index, registry, activator)
        (self.loader, self.logger) = (loader, logger)
        seen =
            isLive
            ? RootScan(of: catalog, in: root).versions
            : Dictionary(catalog.entries.map { ($0.file, FileVersion()) }) { first, _ in first }
        unreferencedLibraries = Mutex(catalog.unreferencedLibraries)
    }

    /// Rescans the root, and checks new and changed modules in workers. Returns when all changes have been applied or
    /// refused.
    func rescan(for scope: ScanScope, of files: Set<String>?) async {
        await apply(for: scope, of: files)
        while let proving { await proving.value }
    }

    /// Rescans the root after the current rescan has ended. Returns when all changes have been applied, and does not
    /// wait for the checks of modules that have no generation.
    ///
    /// - Parameter files: The paths in the root that may have changed. Nil if any file may have changed. A change of
    ///   another file, such as a bundled library, is only noticed by a rescan of the whole root.
    func apply(for scope: ScanScope, of files: Set<String>?) async {
        unread = files.flatMap { unread?.union($0) }
        if let waiting, waiting.scope >= scope { return await waiting.task.value }
        let previous = last
        scanCount += 1
        let number = scanCount
        let task = Task {
            await previous?.value
            if waiting?.number == number { waiting = nil }
            await scan(for: scope)
        }
        (waiting, last) = ((scope, number, task), task)
        await task.value
    }

    /// Stops applying changes. Returns when the current rescan and the current check have ended.
    func end() async {
        isOver = true
        schedule.cancel()
        await last?.value
        await proving?.value
    }

    /// Schedules a rescan. Only the earliest rescan for each scope is kept.
    func scheduleRescan(for scope: ScanScope, after pause: Duration) {
        if isOver { return }
        let due = ContinuousClock.now + pause
        schedule.add(scope, at: due) {
            Task {
                guard (try? await Task.sleep(until: due)) != nil, !Task.isCancelled else { return }
                schedule.remove(scope)
                await rescan(for: scope, of: nil)
            }
        }
    }

    /// Stores an error, so that the file is retried later. Logs a message unless the same error is already stored.
    func postpone(_ file: String, _ error: ViperError, _ text: String) {
        if postponed[file]?.summary != error.summary { logger.log(.warning, text) }
        postponed[file] = error
    }

    /// Reads the root, decides what has changed, and applies the changes: first removals, then new modules and modules
    /// without a generation, then modules with a generation.
    private func scan(for scope: ScanScope) async {
        if isOver { return }
        let scan: RootScan
        do { scan = try await read(for: scope) } catch {
            // If a folder cannot be listed, its modules do not count as removed.
            if error != unreadable { logger.log(.warning, error.summary) }
            unreadable = error
            return scheduleRescan(for: scope, after: backOff.next())
        }
        if unreadable != nil { backOff.reset() }
        unreadable = nil
        let before = seen
        let snapshot = registry.snapshot
        if let modules = scan.modules {
            for file in modules { seen[file] = scan.versions[file] }
        } else {
            await removeMissing(in: scan, scope)
        }
        let plan = RescanPlan(scan, since: before, in: snapshot, scope, postponed: Set(postponed.keys))
        // After a change, start again with the shortest pause between retries.
        if plan.hasChangedFiles { backOff.reset() }
        // Modules that arrive together have equal claims. Modules that have a generation are replaced below, one after
        // another.
        let arrivals = registry.take(plan.arrivals, faults: await faults(of: plan.arrivals))
        let replacements = arrivals + (await activator.takeUsable(plan.replacements))
        unproved.formUnion((plan.arrivals + plan.replacements + plan.checks).map(\.file))
        unproved.subtract(replacements.map(\.file))
        for entry in plan.retries where !isOver { await retry(entry) }
        await replace(by: replacements)
        await activator.settle()
        startProving()
        retryPostponed(of: plan.retries, replacements, hasUnfinished: !scan.catalog.unfinished.isEmpty)
    }

    /// Reads the files that may have changed. Reads the whole root instead if missing files must be found, or if another
    /// file may now describe a module.
    private func read(for scope: ScanScope) async throws(ViperError) -> RootScan {
        let (earlier, files) = (latest, unread)
        (latest, unread) = (nil, [])
        let scan = try await BlockingWork.run { [root, index] () throws(ViperError) in
            if let earlier, let files, scope != .all, let scan = try earlier.rereading(files, in: root) { return scan }
            return try RootScan(root, with: index)
        }
        latest = scan
        return scan
    }

    /// Removes the modules whose files are missing, and records the versions of the files that are present.
    private func removeMissing(in scan: RootScan, _ scope: ScanScope) async {
        let absent = Set(seen.keys).subtracting(scan.catalog.entries.map(\.file))
        let kept = absent.filter { reject($0, in: scan.catalog) }
        let removed = settled(absent.subtracting(kept), isSure: scope == .all)
        // A file that is missing only briefly keeps its recorded version.
        seen = seen.filter { !removed.contains($0.key) }.merging(scan.versions) { $1 }
        // No real version equals an empty version. The next rescan therefore checks the file, and clears the error if
        // the file is valid again.
        for file in kept { seen[file] = FileVersion() }
        unreferencedLibraries.withLock {
            $0 = scan.catalog.unreferencedLibraries.filter { !kept.contains("Plugins/\($0)") }
        }
        await remove(removed)
        for file in removed { postponed[file] = nil }
    }

    /// Schedules another rescan if files could not be processed for reasons outside their modules.
    ///
    /// - Parameter hasUnfinished: True if another process is still writing a library that may contain a manifest.
    private func retryPostponed(of retries: [CatalogEntry], _ changes: [CatalogEntry], hasUnfinished: Bool) {
        let hasFailedRetry = retries.contains { postponed[$0.file] != nil }
        let hasFailedChange = changes.contains { postponed[$0.file] != nil }
        guard hasFailedRetry || hasFailedChange || hasUnfinished else { return }
        scheduleRescan(for: hasFailedRetry ? .retries : .changes, after: backOff.next())
    }

    /// Returns the missing files that count as removed. Unless `isSure` is true, a file must be missing for
    /// ``settlingTime``, because editors move a file away and back when saving.
    private func settled(_ files: Set<String>, isSure: Bool) -> Set<String> {
        let now = ContinuousClock.now
        missing = missing.filter { files.contains($0.key) }
        for file in files where missing[file] == nil { missing[file] = now }
        let gone = files.filter { isSure || missing[$0].map { now - $0 >= Self.settlingTime } ?? false }
        for file in gone { missing[file] = nil }
        if gone.count < files.count { scheduleRescan(for: .changes, after: Self.settlingTime) }
        return gone
    }

    /// Keeps a loaded module if its library no longer contains a manifest, or if an invalid manifest in `Manifests/`
    /// hides the library's own manifest. Stores and logs the error.
    ///
    /// - Returns: True if the module was kept.
    private func reject(_ file: String, in catalog: Catalog) -> Bool {
        guard let library = file.split(separator: "/", maxSplits: 1).last, file.hasPrefix("Plugins/"),
            let record = registry.snapshot.module(from: file), record.generation != nil
        else { return false }
        let manifest = "Manifests/\(record.name).json"
        let error: ViperError
        if case .failure(let failure) = catalog.entries.first(where: { $0.file == manifest })?.manifest {
            error = failure
        } else if catalog.unreferencedLibraries.contains(String(library)), isRegularFile("\(root.path)/\(file)") {
            error = ViperError(
                .libraryInvalid, operation: "cannot use library", subject: file,
                cause: "it no longer contains a manifest",
                fix: "copy the complete library; to install another one, remove this one first")
        } else {
            return false
        }
        if record.fileRejection != error {
            registry.note(file, \.fileRejection, error)
            logger.log(.warning, "keeps module \(record.label): \(error.summary)")
        }
        return true
    }

    private func remove(_ files: Set<String>) async {
        if files.isEmpty { return }
        registry.withdraw(files)
        await activator.settle()
        for record in registry.snapshot.modules where files.contains(record.file) {
            // Does not wait, because scenes may stay open for a long time.
            Task { await activator.forget(record.file) }
        }
    }
}
