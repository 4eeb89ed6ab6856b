import FoundationEssentials
import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// Keeps a registry like its root: looks for what has come, changed and gone since the last look.
actor LiveRoot {
    /// What tells one version of a module's files from another.
    private struct Version: Equatable {
        var manifest: Data?
        var library: FileIdentity?
    }

    /// What a look is for, each with what those before it are for.
    enum Look: Comparable, Hashable {
        /// What has changed.
        case changes
        /// What was refused for its own sake, too: it may be right another time.
        case retries
        /// What is missing has gone, also if only for a moment.
        case all
    }

    /// Libraries that no manifest mentions.
    nonisolated let strayLibraries: Mutex<[String]>
    private let root: Root
    private let registry: Registry
    private let activator: Activator
    private let loader: Loader
    private let logger: LineLogger
    private var seen: [String: Version]
    // Since when manifests that were there are not.
    private var missing: [String: ContinuousClock.Instant] = [:]
    private static let patience = Duration.milliseconds(100)
    // Why files could not be tried for something that the system lacks, each reason logged once.
    private var postponed: [String: ViperError] = [:]
    private var backOff = BackOff()
    private var schedule = RescanSchedule()
    /// The number of rescans that are scheduled and have not begun.
    var scheduledRescans: Int { schedule.count }
    // The look that has not begun yet; whoever wants one meanwhile waits for that.
    private var waiting: (purpose: Look, number: Int, task: Task<Void, Never>)?
    private var last: Task<Void, Never>?
    private var lookCount = 0
    private var isOver = false
    // Why the root cannot be read, said once.
    private var unreadable: ViperError?

    /// - Parameter catalog: What the registry has been filled from.
    init(
        root: Root, catalog: Catalog, registry: Registry, activator: Activator, loader: Loader, logger: LineLogger
    ) {
        (self.root, self.registry, self.activator) = (root, registry, activator)
        (self.loader, self.logger) = (loader, logger)
        seen = Self.versions(catalog.entries, in: root)
        strayLibraries = Mutex(catalog.strayLibraries)
    }

    /// Looks once, after any look that is going on. Returns when all that has changed is taken or refused.
    func rescan(for purpose: Look) async {
        if let waiting, waiting.purpose >= purpose { return await waiting.task.value }
        let previous = last
        lookCount += 1
        let number = lookCount
        let task = Task {
            await previous?.value
            if waiting?.number == number { waiting = nil }
            await look(for: purpose)
        }
        (waiting, last) = ((purpose, number, task), task)
        await task.value
    }

    /// Stops taking changes. Returns when the changes that are being taken have been.
    func end() async {
        isOver = true
        schedule.cancel()
        await last?.value
    }

    /// Schedules a look. At most one look is scheduled for each purpose: the earliest.
    private func scheduleRescan(for purpose: Look, after pause: Duration) {
        if isOver { return }
        let due = ContinuousClock.now + pause
        schedule.add(purpose, at: due) {
            Task {
                guard (try? await Task.sleep(until: due)) != nil, !Task.isCancelled else { return }
                schedule.remove(purpose)
                await rescan(for: purpose)
            }
        }
    }

    /// Notes that a file could not be tried, and logs the reason unless that was the reason before.
    private func postpone(_ file: String, _ error: ViperError, _ text: String) {
        if postponed[file]?.summary != error.summary { logger.log(.warning, text) }
        postponed[file] = error
    }

    private func look(for purpose: Look) async {
        if isOver { return }
        let (catalog, versions): (Catalog, [String: Version])
        do {
            (catalog, versions) = try await BlockingWork.run { [root] () throws(ViperError) in
                let catalog = try Catalog(reading: root)
                return (catalog, Self.versions(catalog.entries, in: root))
            }
        } catch {
            // Nothing goes only because a folder cannot be listed at the moment.
            if error != unreadable { logger.log(.warning, error.summary) }
            unreadable = error
            return scheduleRescan(for: .changes, after: backOff.next())
        }
        if unreadable != nil { backOff.reset() }
        unreadable = nil
        let before = seen
        let absent = Set(before.keys).subtracting(catalog.entries.map(\.file))
        let kept = absent.filter { reject($0, in: catalog) }
        let gone = settled(absent.subtracting(kept), isSure: purpose == .all)
        // What may come back is as it was.
        seen = before.filter { versions[$0.key] == nil && !gone.contains($0.key) }.merging(versions) { $1 }
        // When they are back they are looked at, so that nobody is told of what is over.
        for file in kept { seen[file] = Version() }
        strayLibraries.withLock { $0 = catalog.strayLibraries.filter { !kept.contains("Plugins/\($0)") } }
        let snapshot = registry.snapshot
        await remove(gone)
        for file in gone { postponed[file] = nil }
        var (arrivals, changes, retries) = ([CatalogEntry](), [CatalogEntry](), [CatalogEntry]())
        var untried: [CatalogEntry] = []
        for entry in catalog.entries {
            let record = snapshot.module(from: entry.file)
            let isNew = versions[entry.file] != before[entry.file]
            // What the system lacked may be there now.
            if isNew { backOff.reset() }
            let hasChanged = isNew || postponed[entry.file] != nil
            switch record?.state {
            case .resolved, .active, .discovered:
                let rejection = record?.fileRejection
                let isDue = rejection.map { $0.isOfOthers || $0.isUnfinished || purpose >= .retries } ?? false
                if hasChanged || isDue {
                    // Nothing is put in the place of a module whose files are the same, and which is not loaded.
                    if isNew || record?.generation != nil { changes.append(entry) } else { untried.append(entry) }
                }
            // One that only lacks a provider is as good as before when that comes: it has no fault.
            case .refused, .retired, nil:
                if isNew || record == nil {
                    arrivals.append(entry)
                } else if purpose >= .retries, record?.fault != nil {
                    retries.append(entry)
                }
            }
        }
        // Those that come together are equals in what they claim. What was made meanwhile stays until it can be replaced.
        changes += registry.take(arrivals, faults: await faults(of: arrivals))
        for entry in arrivals + untried where !isOver { await prove(entry.file) }
        for entry in retries where !isOver { await retry(entry) }
        await replace(by: changes)
        await activator.settle()
        retryPostponed(of: retries, arrivals + untried + changes, hasUnfinished: !catalog.unfinished.isEmpty)
    }

    /// Schedules another attempt at what could not be tried in this look.
    ///
    /// - Parameter hasUnfinished: Whether a library is being written whose manifest is in it.
    private func retryPostponed(of retries: [CatalogEntry], _ changes: [CatalogEntry], hasUnfinished: Bool) {
        let hasFailedRetry = retries.contains { postponed[$0.file] != nil }
        let hasFailedChange = changes.contains { postponed[$0.file] != nil }
        guard hasFailedRetry || hasFailedChange || hasUnfinished else { return }
        scheduleRescan(for: hasFailedRetry ? .retries : .changes, after: backOff.next())
    }

    /// Those of the missing files that are gone: editors move a file away, and back a moment later.
    private func settled(_ files: Set<String>, isSure: Bool) -> Set<String> {
        let now = ContinuousClock.now
        missing = missing.filter { files.contains($0.key) }
        for file in files where missing[file] == nil { missing[file] = now }
        let gone = files.filter { isSure || missing[$0].map { now - $0 >= Self.patience } ?? false }
        for file in gone { missing[file] = nil }
        if gone.count < files.count { scheduleRescan(for: .changes, after: Self.patience) }
        return gone
    }

    /// Notes why a module stays whose library carries its manifest no more, or is hidden by a bad manifest; tells whether it does.
    private func reject(_ file: String, in catalog: Catalog) -> Bool {
        guard let library = file.split(separator: "/", maxSplits: 1).last, file.hasPrefix("Plugins/"),
            let record = registry.snapshot.module(from: file), record.generation != nil
        else { return false }
        let manifest = "Manifests/\(record.name).json"
        let error: ViperError
        if case .failure(let failure) = catalog.entries.first(where: { $0.file == manifest })?.manifest {
            error = failure
        } else if catalog.strayLibraries.contains(String(library)) {
            error = ViperError(
                .libraryInvalid, "cannot use library", file, cause: "it carries no manifest any more",
                mend: "copy all of it; if it is another one, remove it first")
        } else {
            return false
        }
        if record.fileRejection != error {
            registry.note(file, \.fileRejection, error)
            logger.log(.warning, "\(file) stays as it was: \(error.summary)")
        }
        return true
    }

    private func remove(_ files: Set<String>) async {
        if files.isEmpty { return }
        registry.withdraw(files)
        await activator.settle()
        for record in registry.snapshot.modules where files.contains(record.file) {
            // Its last scene may be open for long.
            Task { await activator.forget(record.file) }
        }
    }

    /// Why libraries can be seen to be of no use, by the manifests' files.
    private func faults(of entries: [CatalogEntry]) async -> [String: ViperError] {
        await BlockingWork.run { [loader] in
            var faults: [String: ViperError] = [:]
            let links = LinkCheck()
            for entry in entries {
                guard let manifest = try? entry.manifest.get() else { continue }
                do throws(ViperError) { try loader.check(manifest, links) } catch {
                    if error.isOfModule { faults[entry.file] = error }
                }
            }
            return faults
        }
    }

    private func prove(_ file: String) async {
        do {
            try await activator.prove(file)
            if registry.snapshot.module(from: file)?.fileRejection != nil { registry.note(file, \.fileRejection, nil) }
            succeed(file)
        } catch {
            // That it is refused is told by whoever tells what becomes of modules.
            if error.isOfModule { return }
            guard error.isUnfinished else { return logger.log(.warning, error.summary) }
            registry.note(file, \.fileRejection, error)
            postpone(file, error, error.summary)
        }
    }

    private func retry(_ entry: CatalogEntry) async {
        do {
            try await activator.retry(entry)
            succeed(entry.file)
        } catch {
            // The reason why it is refused is told by whoever tells what becomes of modules.
            if error.isOfModule { succeed(entry.file) } else { postpone(entry.file, error, error.summary) }
        }
    }

    /// Notes that the system lacked nothing to try a file.
    private func succeed(_ file: String) {
        if postponed.removeValue(forKey: file) != nil { backOff.reset() }
    }

    /// Lets newer versions take the places of modules. What one of them requires another one may bring, so those that could not are
    /// tried again as long as that helps.
    private func replace(by entries: [CatalogEntry]) async {
        let before = registry.snapshot
        var (rest, failures) = (entries, [(CatalogEntry, ViperError)]())
        repeat {
            failures = []
            for entry in rest where !isOver {
                do {
                    try await activator.replace(by: entry)
                    registry.note(entry.file, \.fileRejection, nil)
                    succeed(entry.file)
                } catch { failures.append((entry, error)) }
            }
            if failures.count == rest.count { break }
            rest = failures.map(\.0)
        } while !rest.isEmpty
        for (entry, error) in failures {
            let record = registry.snapshot.module(from: entry.file)
            let told = record?.state.refusal ?? record?.fileRejection ?? before.module(from: entry.file)?.fileRejection
            let isRefused = record?.state.refusal != nil
            if !isRefused { registry.note(entry.file, \.fileRejection, error) }
            let text = (isRefused ? "" : "\(entry.file) stays as it was: ") + error.summary
            if !error.isOfModule {
                postpone(entry.file, error, text)
                continue
            }
            succeed(entry.file)
            // What is tried again and fails as before was told.
            if told?.summary != error.summary { logger.log(.warning, text) }
        }
    }

    private static func versions(_ entries: [CatalogEntry], in root: Root) -> [String: Version] {
        entries.reduce(into: [:]) { versions, entry in
            let library = (try? entry.manifest.get())?.library
            let identity = library.flatMap { name in
                [root.plugins, root.executableFolder].lazy.compactMap { FileIdentity(of: "\($0)/\(name)") }.first
            }
            // A library whose manifest cannot be read while it is written changes with each write.
            let own = entry.file.hasSuffix(".so") ? FileIdentity(of: "\(root.path)/\(entry.file)") : nil
            versions[entry.file] = Version(manifest: entry.text, library: identity ?? own)
        }
    }
}
