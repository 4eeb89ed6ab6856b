package import HostSystem
package import ModuleCatalog
import ModuleRuntime
import ViperKit

/// A factory that creates the root folders and limits for workers.
package struct WorkerPreparer: Sendable {
    let root: Root
    let settings: Settings
    let loader: Loader
    let logger: LineLogger
    /// True if modules may run in workers. False for checks, which inspect modules in their own process.
    let isIsolating: Bool
    let program: String
    let callLimit: Duration

    package init(
        root: Root, settings: Settings, loader: Loader, logger: LineLogger, isIsolating: Bool, program: String,
        callLimit: Duration
    ) {
        (self.root, self.settings, self.loader, self.logger, self.isIsolating, self.program, self.callLimit) = (
            root, settings, loader, logger, isIsolating, program, callLimit
        )
    }

    var environment: WorkerEnvironment { WorkerEnvironment(adding: settings.workerEnvironment) }

    /// The limits for a worker that is not a probe.
    var limits: WorkerLimits {
        var limits = WorkerLimits()
        limits.call = callLimit
        return limits
    }

    struct PreparedRoot: Sendable {
        let root: WorkerRoot
        /// The library copies. They must be retained, because a copy deletes its file when it is deinitialized.
        let copies: [LibraryCopy]
        /// True if a module of the worker may read the host's registry.
        let usesRegistry: Bool
    }

    package func isolates(_ manifest: Manifest) -> Bool {
        isIsolating && manifest.kind == .module && (manifest.isolation == .process || settings.isolates(manifest.name))
    }

    /// Prepares the root folder of a worker. It contains the module and all modules that provide services to it.
    ///
    /// - Parameters:
    ///   - copy: The copy of the module's library.
    ///   - provided: A closure that returns the library copy of a provider, or nil to omit the provider.
    ///   - isProbe: True if the worker only probes the module, with a temporary state folder.
    /// - Throws: ``ViperError/Code/settingInvalid`` if a provider needs what exists only in the host's process.
    func prepare(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy, in snapshot: RegistrySnapshot,
        provided: (ModuleRecord, Manifest) async throws(ViperError) -> LibraryCopy?, isProbe: Bool
    ) async throws(ViperError) -> PreparedRoot {
        var copies = [copy]
        var parts = [part(manifest, copy)]
        var waiting = Array(snapshot.providers(for: record).values)
        var seen: Set = [record.file]
        while let provider = waiting.popLast() {
            guard seen.insert(provider.file).inserted, let manifest = provider.manifest else { continue }
            if !isProbe, let cause = manifest.causeAgainstWorkers {
                throw .cannotIsolate(record.name, "of its provider \"\(provider.name)\": \(cause)")
            }
            guard let copy = try await provided(provider, manifest) else { continue }
            copies.append(copy)
            parts.append(part(manifest, copy))
            waiting += snapshot.providers(for: provider).values
        }
        let root = try await BlockingWork.run { [parts] () throws(ViperError) in
            try WorkerRoot(
                parts, settings: settings, hasOwnState: isProbe, in: try loader.folder(), trust: self.root.trust)
        }
        let key = ServiceKey<any ModuleRegistry>.registry.name
        let usesRegistry = parts.contains { ($0.manifest.requires + $0.manifest.optional).contains(key) }
        return PreparedRoot(root: root, copies: copies, usesRegistry: usesRegistry)
    }

    /// The additional arguments of workers. A worker filters its module's messages by level before it sends them.
    var arguments: [String] { logger.minimum <= .debug ? ["--verbose"] : [] }

    /// Returns a handler that logs a worker's standard error.
    func tell(_ module: String, isProbe: Bool = false) -> @Sendable (String) -> Void {
        let log = WorkerLog(of: module, logger, isProbe: isProbe)
        return { log.add($0) }
    }

    private func part(_ manifest: Manifest, _ copy: LibraryCopy) -> WorkerRoot.Part {
        WorkerRoot.Part(
            manifest: manifest, library: copy.path, resources: ModuleResources(of: manifest, copy, in: root)?.path)
    }
}
