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
    // The look that has not begun yet; whoever wants one meanwhile waits for that.
    private var waiting: Task<Void, Never>?
    private var last: Task<Void, Never>?

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
    ///
    /// - Parameter isThorough: Whether modules that were refused for their own sake are tried again though nothing has changed.
    func rescan(isThorough: Bool) async {
        if let waiting, !isThorough { return await waiting.value }
        let previous = last
        let task = Task {
            await previous?.value
            waiting = nil
            await look(isThorough)
        }
        (waiting, last) = (task, task)
        await task.value
    }

    private func look(_ isThorough: Bool) async {
        let catalog: Catalog
        do { catalog = try Catalog(reading: root) } catch {
            // Nothing goes only because a folder cannot be listed at the moment.
            return logger.log(.warning, error.summary)
        }
        let versions = Self.versions(catalog.entries, in: root)
        let before = seen
        let absent = Set(before.keys).subtracting(catalog.entries.map(\.file))
        // A library that carried its manifest, and is there and carries none: it is damaged, and its module stays.
        let damaged = absent.filter {
            $0.hasPrefix("Plugins/") && catalog.strayLibraries.contains(String($0.dropFirst(8)))
        }
        damaged.forEach(reject)
        let gone = settled(absent.subtracting(damaged), isThorough)
        // What may come back is as it was.
        seen = before.filter { versions[$0.key] == nil && !gone.contains($0.key) }.merging(versions) { $1 }
        strayLibraries.withLock { $0 = catalog.strayLibraries.filter { !damaged.contains("Plugins/\($0)") } }
        let records = registry.snapshot.modules
        await remove(gone)
        var arrivals: [CatalogEntry] = []
        var changes: [CatalogEntry] = []
        for entry in catalog.entries {
            let record = records.first { $0.file == entry.file }
            let hasChanged = versions[entry.file] != before[entry.file]
            switch record?.state {
            case .resolved, .active, .discovered: if hasChanged { changes.append(entry) }
            // One that only lacks a provider is as good as before when that comes.
            case .refused where record?.fault == nil: if hasChanged { arrivals.append(entry) }
            case .refused: if hasChanged || isThorough { arrivals.append(entry) }
            case .retired, nil: if hasChanged || record == nil { arrivals.append(entry) }
            }
        }
        // Those that come together are equals in what they claim.
        registry.register(arrivals)
        registry.resolve()
        check(arrivals)
        for entry in arrivals { await take(entry.file) }
        for entry in changes { await change(to: entry) }
        await activator.settle()
    }

    /// Those of the missing files that are gone: editors move a file away, and back a moment later.
    private func settled(_ files: Set<String>, _ isThorough: Bool) -> Set<String> {
        let now = ContinuousClock.now
        missing = missing.filter { files.contains($0.key) }
        for file in files where missing[file] == nil { missing[file] = now }
        let gone = files.filter { isThorough || missing[$0].map { now - $0 >= Self.patience } ?? false }
        for file in gone { missing[file] = nil }
        if gone.count < files.count {
            Task {
                try? await Task.sleep(for: Self.patience)
                await rescan(isThorough: false)
            }
        }
        return gone
    }

    private func reject(_ file: String) {
        let error = ViperError(
            .libraryInvalid, "cannot use library", file, cause: "it carries no manifest any more",
            mend: "copy all of it; if it is another one, remove it first")
        registry.note(file, rejection: error)
        logger.log(.warning, "\(file) stays as it was: \(error.summary)")
    }

    private func remove(_ files: Set<String>) async {
        if files.isEmpty { return }
        logger.log(.info, "gone: \(files.sorted().joined(separator: ", "))")
        registry.withdraw(files)
        await activator.settle()
        for record in registry.snapshot.modules where files.contains(record.file) {
            // Its last scene may be open for long.
            Task { await activator.forget(record.file) }
        }
    }

    /// Refuses those whose libraries can be seen to be of no use.
    private func check(_ entries: [CatalogEntry]) {
        var reasons: [String: ViperError] = [:]
        for entry in entries {
            guard let manifest = try? entry.manifest.get() else { continue }
            do { try loader.check(manifest) } catch { if error.isOfModule { reasons[entry.file] = error } }
        }
        for error in reasons.values { logger.log(.warning, error.summary) }
        registry.refuse(reasons)
        registry.resolve()
    }

    private func take(_ file: String) async {
        do { try await activator.prove(file) } catch {
            // It is proved when it is first needed, too.
            if error.isOfModule { registry.refuse(file, because: error) }
            logger.log(.warning, error.summary)
        }
    }

    private func change(to entry: CatalogEntry) async {
        do {
            try await activator.replace(by: entry)
            registry.note(entry.file, rejection: nil)
        } catch {
            registry.note(entry.file, rejection: error)
            // The next look takes it for changed again.
            if !error.isOfModule { seen[entry.file] = Version() }
            logger.log(.warning, "\(entry.file) stays as it was: \(error.summary)")
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
