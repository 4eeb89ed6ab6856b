package import HostSystem
import JSONRPC
package import ModuleCatalog
import ModuleIsolation
package import ModuleRuntime
import Synchronization
package import ViperKit

/// A host that reads the manifests in a root and opens the routes of its modules.
///
/// ```swift
/// let host = try await ViperHost.start(root: "office", program: "/usr/local/bin/host") { print($0) }
/// let window = try await host.windows.open("list", for: "kiosk")
/// print(ViperHost.text(of: await window.state().screen))
/// await host.shutDown()
/// ```
public final class ViperHost: Sendable {
    package struct Configuration: Sendable {
        package var root: Root
        /// The settings from `host.json` and the command line.
        package var settings = Settings()
        package var logger = LineLogger(source: "host", minimum: .warning) { _ in }
        /// The descriptors of sockets that listen already, keyed by address.
        package var inheritedSockets: [String: Int32] = [:]
        /// True if the host keeps running while its root changes. It then checks each library in a worker
        /// before loading it.
        package var isLive = false
        /// True if modules run in workers when their manifests or the settings request it.
        package var isIsolating = true
        /// The time limit for each call to a module in a worker. The default is that of a serving host.
        package var callLimit = Limits().time
        /// True if this host runs in a worker, with a root that another host has prepared.
        package var isWorker = false
        /// The maximum time to wait for a library that another process is still writing. A serving host also retries
        /// the library later.
        package var libraryTimeout = ModuleCatalog.libraryTimeout
        /// The program that workers run. The default is the running executable, which must then be the host program.
        package var workerProgram = "/proc/self/exe"
        /// True if the host keeps an index of a root with many modules in the user's cache folder.
        package var usesIndex = false
        /// True if modules get an `http-client` that refuses all requests. Only checks set this property.
        package var isOffline = false
        /// A closure that changes the services that a module may use. Only checks set this property.
        var adjustConsumer: (@Sendable (inout ServiceConsumer) -> Void)?

        package init(root: Root) { self.root = root }
    }

    package var registry: Registry { modules.registry }
    package var router: Router { modules.router }
    /// The error of the start route that the settings choose. Nil if they choose none, or if it can be opened.
    package var startError: ViperError? { router.startError }
    package var unreferencedLibraries: [String] { reconciler.unreferencedLibraries.withLock { $0 } }

    package let modules: HostedModules
    var activator: Activator { modules.activator }
    let loader: Loader
    let reconciler: Reconciler
    package let root: Root
    package var trust: Trust { root.trust }
    let logger: LineLogger
    let quarantine: Quarantine
    let crashHistory: CrashHistory
    /// The last crash of each module in a host, keyed by the module's name. Empty until the reports are read.
    let lastCrashes = Mutex<[String: Crash]>([:])
    /// What the libraries of modules do to the whole process, keyed by the module's name. Empty until they are checked.
    let libraryWarnings = Mutex<[String: LibraryWarnings]>([:])
    /// The earlier versions of all modules. Empty until they are read.
    let knownVersions = Mutex(KnownVersions())
    let watchers = Watchers()
    /// The changes of installed modules that clients have asked for.
    let changes = ChangeQueue()
    let configuration: Configuration
    /// The task that logs changes. Nil if changes are not logged.
    let changeLog = Mutex<Task<Void, Never>?>(nil)
    let step = Mutex(EndStep.serving)
    let sockets: HeldSockets
    /// The task that notes when clients reach modules. Nil if no module runs.
    let socketFollower = Mutex<Task<Void, Never>?>(nil)
    /// The manifest files of the modules that clients do not reach yet.
    let reaching = Mutex<Set<String>>([])
    /// True if this host runs in a worker.
    let isWorker: Bool
    /// The registry of the host that started this worker. Nil if this host does not run in a worker.
    let parentRegistry: ParentRegistry?

    /// Creates a host from the manifests in a root without running any module code. If a manifest is invalid, the host
    /// refuses its module instead of throwing an error.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable``, ``ViperError/Code/pathUntrusted``, or
    ///   ``ViperError/Code/settingInvalid``.
    package convenience init(_ configuration: Configuration) throws(ViperError) {
        let index = Self.index(configuration)
        let catalog = try Catalog(reading: configuration.root, with: index)
        index?.save()
        try self.init(configuration, catalog: catalog, index)
    }

    /// Creates a host for a single route. If no manifest declares the route, waits for libraries that another process
    /// is still writing, because one of these libraries may contain the manifest.
    ///
    /// - Throws: The same errors as ``init(_:)``, or ``ViperError/Code/libraryUnfinished``.
    package convenience init(_ configuration: Configuration, for route: String) async throws(ViperError) {
        let index = Self.index(configuration)
        let catalog = try await Catalog(
            reading: configuration.root, with: index, for: route, within: configuration.libraryTimeout)
        index?.save()
        try self.init(configuration, catalog: catalog, index)
    }

    private static func index(_ configuration: Configuration) -> CatalogIndex? {
        configuration.usesIndex ? CatalogIndex(of: configuration.root, logger: configuration.logger) : nil
    }

    private init(_ configuration: Configuration, catalog: Catalog, _ index: CatalogIndex?) throws(ViperError) {
        let (root, settings) = (configuration.root, configuration.settings)
        self.configuration = configuration
        // The settings may name modules that they disable.
        let manifests = catalog.manifests
        let catalog = catalog.without(settings.disabled)
        try configuration.state.check()
        do throws(ViperError) {
            try settings.check(against: manifests, hostProviders: Settings.hostProviders)
        } catch {
            // The settings may refer to a module whose library another process is still writing.
            if catalog.unfinished.isEmpty { throw error }
            configuration.logger.log(.warning, error.summary)
        }
        let sockets = HeldSockets(inherited: configuration.inheritedSockets)
        self.sockets = sockets
        let container = HostServices.container(configuration, sockets)
        parentRegistry = configuration.isWorker ? ParentRegistry() : nil
        if let parentRegistry {
            _ = container.register(.registry, provider: HostServices.provider, scope: .singleton) {
                [parentRegistry] _ in
                parentRegistry
            }
        }
        let wiring = HostServices.wiring(configuration, container)
        (self.root, logger, isWorker) = (root, configuration.logger, configuration.isWorker)
        crashHistory = CrashHistory(folder: configuration.state.crashes, logger: configuration.logger)
        let quarantine = Quarantine(
            unchecked: configuration, besidesServing: configuration.isLive || configuration.isWorker ? nil : .debug)
        self.quarantine = quarantine
        let loader = Loader(
            finder: LibraryFinder(
                root: root, logger: configuration.logger, readsPrivateCopies: configuration.isWorker),
            timeout: configuration.libraryTimeout)
        self.loader = loader
        loader.note(manifests)
        let preparer = WorkerPreparer(
            root: root, settings: settings, loader: loader, logger: configuration.logger,
            isIsolating: configuration.isIsolating, program: configuration.workerProgram,
            callLimit: configuration.callLimit)
        modules = HostedModules(wiring: wiring, settings: settings, services: container) {
            configuration.logger.log(.warning, $0.summary)
        } codes: { registry in
            LibraryCodeSource(
                loader: loader, preparer: preparer, quarantine: quarantine,
                registry: RegistryReader(registry, isIsolated: preparer.isolates), isLive: configuration.isLive
            ) { record, digest, error in
                registry.refuseAfterCrash(record.file, digest, because: error)
            }
        } consumer: { record, manifest, copy throws(ViperError) in
            let resources = ModuleResources(of: manifest, copy, in: root)
            resources?.logUnused(in: record.file, manifest, root, configuration.logger)
            var consumer = try ServiceConsumer(
                manifest, in: record.file, wiring: wiring, settings: settings, resources: resources)
            consumer.onOmission = { configuration.logger.log(.warning, $0.summary) }
            configuration.adjustConsumer?(&consumer)
            return consumer
        }
        let reader = RootReader(root: root, index: index, loader: loader)
        reconciler = Reconciler(reader, catalog, modules, logger: configuration.logger)
        // If the root will not be read again, the versions of the libraries need not be known.
        modules.register(catalog.entries.map { configuration.isLive ? reader.files(of: $0) : ModuleFiles($0) })
        explainLaterInterfaces()
        for fault in settings.faults(against: manifests, hostProviders: Settings.hostProviders) {
            let fix = fault.fix.map { "; \($0)" } ?? ""
            configuration.logger.log(.warning, "\(fault.subject): \(fault.cause)\(fix)")
        }
        configuration.logger.log(.debug, "uses root \(root.path)")
    }

    /// Retires a module. Its routes are removed immediately, and its open scenes stay open. Returns after the last
    /// scene has closed and the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name.
    package func retire(_ module: String) async throws(ViperError) {
        try await modules.retire(module)
    }

    /// Updates the modules to match the files in the root, and retries modules that were refused because of their own
    /// faults. Returns when all changes have been applied or refused. If files keep changing, returns after they have
    /// stopped changing.
    public func rescan() async {
        await reconciler.retry()
        await reconciler.settle()
    }

    /// Closes the windows of ``windows``, retires all modules, and removes the host's temporary files. All other windows
    /// must be closed first. Returns after each module has stopped.
    public func shutDown() async {
        beginEnding()
        // The log must not report each module as retired.
        let changeLog = changeLog.withLock { $0 }
        changeLog?.cancel()
        await changeLog?.value
        socketFollower.withLock { $0 }?.cancel()
        watchers.stop()
        step.withLock { $0 = .endingRescan }
        activator.codes.end()
        await reconciler.end()
        step.withLock { $0 = .retiring }
        await modules.shutDown()
        loader.end()
        step.withLock { $0 = .ended }
    }

    /// Adds notes about missing declarations to the errors of modules that need a later version of ViperKit or of a
    /// contract.
    private func explainLaterInterfaces() {
        var errors: [String: ViperError] = [:]
        let snapshot = registry.snapshot
        for record in snapshot.modules {
            guard let manifest = record.manifest, var refusal = record.state.refusal else { continue }
            switch refusal.code {
            case .sdkUnsupported: refusal.notes += loader.missingDeclarations(manifest)
            case .contractUnmet:
                let contracts = snapshot.contracts(of: manifest).compactMap(\.manifest)
                refusal.notes += loader.missingDeclarations(manifest, in: contracts)
            default: continue
            }
            errors[record.file] = refusal
        }
        registry.explain(errors)
    }
}
