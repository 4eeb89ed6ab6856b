import FoundationEssentials
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
    enum Look: Comparable {
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
    /// After what the system may have room for the next time.
    private static let pause = Duration.seconds(1)
    // The look that has not begun yet; whoever wants one meanwhile waits for that.
    private var waiting: Task<Void, Never>?
    private var last: Task<Void, Never>?
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
        if let waiting, purpose == .changes { return await waiting.value }
        let previous = last
        let task = Task {
            await previous?.value
            waiting = nil
            await look(for: purpose)
        }
        (waiting, last) = (task, task)
        await task.value
    }

    /// Takes nothing any more. Returns when what is being taken has been.
    func end() async {
        isOver = true
        await last?.value
    }

    /// Looks again after a while.
    private func rescan(for purpose: Look = .changes, after pause: Duration) {
        Task {
            try? await Task.sleep(for: pause)
            await rescan(for: purpose)
        }
    }

    private func look(for purpose: Look) async {
        if isOver { return }
        let catalog: Catalog
        do { catalog = try Catalog(reading: root) } catch {
            // Nothing goes only because a folder cannot be listed at the moment.
            if error != unreadable { logger.log(.warning, error.summary) }
            unreadable = error
            return rescan(after: Self.pause)
        }
        unreadable = nil
        let versions = Self.versions(catalog.entries, in: root)
        let before = seen
        let absent = Set(before.keys).subtracting(catalog.entries.map(\.file))
        let kept = absent.filter { reject($0, in: catalog) }
        let gone = settled(absent.subtracting(kept), isSure: purpose == .all)
        // What may come back is as it was.
        seen = before.filter { versions[$0.key] == nil && !gone.contains($0.key) }.merging(versions) { $1 }
        // When they are back they are looked at, so that nobody is told of what is over.
        for file in kept { seen[file] = Version() }
        strayLibraries.withLock { $0 = catalog.strayLibraries.filter { !kept.contains("Plugins/\($0)") } }
        let records = registry.snapshot.modules
        await remove(gone)
        var (arrivals, changes, retries) = ([CatalogEntry](), [CatalogEntry](), [CatalogEntry]())
        for entry in catalog.entries {
            let record = records.first { $0.file == entry.file }
            let hasChanged = versions[entry.file] != before[entry.file]
            switch record?.state {
            case .resolved, .active, .discovered:
                let rejection = record?.fileRejection
                let isDue = rejection.map { $0.isOfOthers || purpose >= .retries } ?? false
                if hasChanged || isDue { changes.append(entry) }
            // One that only lacks a provider is as good as before when that comes: it has no fault.
            case .refused, .retired, nil:
                if hasChanged || record == nil {
                    arrivals.append(entry)
                } else if purpose >= .retries, record?.fault != nil {
                    retries.append(entry)
                }
            }
        }
        // Those that come together are equals in what they claim. What was made meanwhile stays until it can be replaced.
        changes += registry.take(arrivals, faults: faults(of: arrivals))
        for entry in arrivals where !isOver { await prove(entry.file) }
        for entry in retries where !isOver { await retry(entry) }
        await replace(by: changes)
        await activator.settle()
    }

    /// Those of the missing files that are gone: editors move a file away, and back a moment later.
    private func settled(_ files: Set<String>, isSure: Bool) -> Set<String> {
        let now = ContinuousClock.now
        missing = missing.filter { files.contains($0.key) }
        for file in files where missing[file] == nil { missing[file] = now }
        let gone = files.filter { isSure || missing[$0].map { now - $0 >= Self.patience } ?? false }
        for file in gone { missing[file] = nil }
        if gone.count < files.count { rescan(after: Self.patience) }
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
    private func faults(of entries: [CatalogEntry]) -> [String: ViperError] {
        var faults: [String: ViperError] = [:]
        for entry in entries {
            guard let manifest = try? entry.manifest.get() else { continue }
            do { try loader.check(manifest) } catch { if error.isOfModule { faults[entry.file] = error } }
        }
        return faults
    }

    private func prove(_ file: String) async {
        do { try await activator.prove(file) } catch {
            // That it is refused is told by whoever tells what becomes of modules.
            if !error.isOfModule { logger.log(.warning, error.summary) }
        }
    }

    private func retry(_ entry: CatalogEntry) async {
        do { try await activator.retry(entry) } catch {
            // The reason why it is refused is told by whoever tells what becomes of modules.
            if error.isOfModule { return }
            logger.log(.warning, error.summary)
            rescan(for: .retries, after: Self.pause)
        }
    }

    /// Lets newer versions take the places of modules. What one of them requires another one may bring, so those that could not are
    /// tried again as long as that helps.
    private func replace(by entries: [CatalogEntry]) async {
        var (rest, failures) = (entries, [(CatalogEntry, ViperError)]())
        repeat {
            failures = []
            for entry in rest where !isOver {
                do {
                    try await activator.replace(by: entry)
                    registry.note(entry.file, \.fileRejection, nil)
                } catch { failures.append((entry, error)) }
            }
            if failures.count == rest.count { break }
            rest = failures.map(\.0)
        } while !rest.isEmpty
        for (entry, error) in failures {
            let record = registry.snapshot.module(from: entry.file)
            let isRefused = record?.state.refusal != nil
            if !isRefused { registry.note(entry.file, \.fileRejection, error) }
            // What is tried again and fails as before was told.
            if (record?.state.refusal ?? record?.fileRejection)?.summary != error.summary {
                logger.log(.warning, (isRefused ? "" : "\(entry.file) stays as it was: ") + error.summary)
            }
            if error.isOfModule { continue }
            // The next look takes it for changed again.
            seen[entry.file] = Version()
            rescan(after: Self.pause)
        }
    }

    private static func versions(_ entries: [CatalogEntry], in root: Root) -> [String: Version] {
        entries.reduce(into: [:]) { versions, entry in
            let library = (try? entry.manifest.get())?.library
            let identity = library.flatMap { name in
                [root.plugins, root.executableFolder].lazy.compactMap { FileIdentity(of: "\($0)/\(name)") }.first
            }
            versions[entry.file] = Version(manifest: entry.text, library: identity)
        }
    }
}
