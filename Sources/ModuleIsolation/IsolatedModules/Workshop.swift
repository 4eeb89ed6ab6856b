package import HostSystem
package import ModuleCatalog
import ModuleRuntime
import ViperKit

/// Prepares what workers work in.
package struct Workshop: Sendable {
    package let root: Root
    package let settings: Settings
    package let loader: Loader
    package let logger: LineLogger
    /// Whether modules are isolated that want it; not for those who look at what is inside of them.
    package let isIsolating: Bool
    /// The program that workers run.
    package let program: String
    /// How long a call may take.
    package let callLimit: Duration

    package init(
        root: Root, settings: Settings, loader: Loader, logger: LineLogger, isIsolating: Bool, program: String,
        callLimit: Duration
    ) {
        (self.root, self.settings, self.loader, self.logger, self.isIsolating, self.program, self.callLimit) = (
            root, settings, loader, logger, isIsolating, program, callLimit
        )
    }

    /// The variables that workers inherit.
    var environment: WorkerEnvironment { WorkerEnvironment(adding: settings.workerEnvironment) }

    /// What a worker may use that is no probe.
    var limits: WorkerLimits {
        var limits = WorkerLimits()
        limits.call = callLimit
        return limits
    }

    /// A worker's root, with the libraries in it.
    struct Bench: Sendable {
        let root: WorkerRoot
        /// Held as long as they are needed: their files go with them.
        let copies: [LibraryCopy]
    }

    func isolates(_ manifest: Manifest) -> Bool {
        isIsolating && (manifest.isolation == .process || settings.isolated.contains(manifest.name))
    }

    /// Lays out a root with a module and all that provide for it.
    ///
    /// - Parameters:
    ///   - copy: Of its library.
    ///   - provided: Makes the copies of those that provide for it.
    ///   - isProbe: Whether it is only tried: it gets a state folder of its own then.
    func bench(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy, in snapshot: RegistrySnapshot,
        provided: (ModuleRecord, Manifest) async throws(ViperError) -> LibraryCopy?, isProbe: Bool
    ) async throws(ViperError) -> Bench {
        var copies = [copy]
        var parts = [part(manifest, copy)]
        var waiting = Array(snapshot.providers(for: record).values)
        var seen: Set = [record.file]
        while let provider = waiting.popLast() {
            guard seen.insert(provider.file).inserted, let manifest = provider.manifest,
                let copy = try await provided(provider, manifest)
            else { continue }
            copies.append(copy)
            parts.append(part(manifest, copy))
            waiting += snapshot.providers(for: provider).values
        }
        let root = try await BlockingWork.run { [parts] () throws(ViperError) in
            try WorkerRoot(
                parts, settings: settings, hasOwnState: isProbe, in: try loader.folder(), trust: self.root.trust)
        }
        return Bench(root: root, copies: copies)
    }

    /// Hears what a worker says besides. What a probe says is said again where the module is used.
    func tell(_ module: String, isProbe: Bool = false) -> @Sendable (String) -> Void {
        let logger = logger.named(module)
        return { line in
            // What the worker's own host says is of its private root, and of no concern to anybody.
            if line.hasPrefix("host: ") { return logger.log(.debug, line) }
            let (level, text) = LogLevel.read(line, of: module)
            logger.log(isProbe ? min(level, .info) : level, text)
        }
    }

    private func part(_ manifest: Manifest, _ copy: LibraryCopy) -> WorkerRoot.Part {
        WorkerRoot.Part(
            manifest: manifest, library: copy.path, resources: manifest.resources.map { "\(root.plugins)/\($0)" })
    }
}
