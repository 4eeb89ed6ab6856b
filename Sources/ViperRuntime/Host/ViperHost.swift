public import HostSystem
public import ModuleCatalog
import ModuleIsolation
public import ModuleRuntime
import Synchronization
public import ViperKit

/// A host: it reads a root's manifests, and opens the routes of the modules that they describe.
///
/// ```swift
/// let host = try ViperHost(ViperHost.Configuration(root: try Root.find(given: nil, environment: [:])))
/// let window = Window(router: host.router)
/// try await window.open("list", texts: [:])
/// print(TextRenderer(style: TextStyle(isColoured: false)).render(window.screen))
/// ```
public final class ViperHost: Sendable {
    /// What a host is made of.
    public struct Configuration: Sendable {
        /// Where manifests and libraries are.
        public var root: Root
        /// What people have decided about it.
        public var settings = Settings()
        /// Where the host and its modules log to.
        public var logger = LineLogger(source: "host", minimum: .warning) { _ in }
        /// Whether the root is looked at again, and what has changed in it is taken.
        public var isLive = false
        /// Whether modules run in processes of their own that want it.
        package var isIsolating = true
        /// How long a call of a module in a process of its own may take.
        package var callLimit = Duration.seconds(86_400)
        /// True if this host is a worker, whose root another host has made for it.
        package var isWorker = false
        /// How long it waits for a library that a process is writing. A host that serves looks again when the library is complete.
        package var libraryPatience = ModuleCatalog.libraryPatience
        /// The program that workers run: this one, which has to be the host.
        package var workerProgram = "/proc/self/exe"
        /// Whether its modules get a client that reaches nobody in place of `http-client`; for checks.
        package var isOffline = false
        /// A service that one module does not get; for checks.
        var withheld: Withheld?
        /// Hears of each service that a module asks for without requiring it; for checks.
        var onDenial: (@Sendable (_ module: String, ViperError) -> Void)?

        /// A configuration that logs nothing and has no settings.
        public init(root: Root) { self.root = root }
    }

    /// Which modules there are.
    public let registry: Registry
    /// Opens routes.
    public let router: Router
    /// Libraries in `Plugins/` that no manifest mentions.
    public var strayLibraries: [String] { liveRoot.strayLibraries.withLock { $0 } }

    let loader: Loader
    let activator: Activator
    let codes: LibraryCodeSource
    let liveRoot: LiveRoot
    let root: Root
    /// The rule on who may change the files of the host.
    package var trust: Trust { root.trust }
    let logger: LineLogger
    let quarantine: Quarantine
    let watchers = Watchers()
    /// How far the host's end has come.
    let step = Mutex(EndStep.serving)

    /// Reads the root's manifests. No code of a module runs.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable``, or ``ViperError/Code/settingInvalid`` for a setting that names something
    ///   that there is not. A bad manifest is a refused module, no error.
    public convenience init(_ configuration: Configuration) throws(ViperError) {
        try self.init(configuration, catalog: try Catalog(reading: configuration.root))
    }

    /// Makes a host for one route. If no module has the route, it waits for libraries that are being written, since one of them may
    /// carry the manifest of that module.
    ///
    /// - Throws: As ``init(_:)``, and ``ViperError/Code/libraryUnfinished``.
    package convenience init(_ configuration: Configuration, for route: String) async throws(ViperError) {
        let catalog = try await Catalog(
            reading: configuration.root, for: route, within: configuration.libraryPatience)
        try self.init(configuration, catalog: catalog)
    }

    private convenience init(_ configuration: Configuration, catalog: Catalog) throws(ViperError) {
        let settings = configuration.settings
        try configuration.state.check()
        do throws(ViperError) {
            try settings.check(
                against: catalog.entries.compactMap { try? $0.manifest.get() }, hostProviders: Settings.hostProviders)
        } catch {
            // What the settings name may be in a library that is being written.
            if catalog.unfinished.isEmpty { throw error }
            configuration.logger.log(.warning, error.summary)
        }
        let container = HostServices.container(configuration)
        self.init(
            configuration, catalog: catalog, container: container, wiring: HostServices.wiring(configuration, container)
        )
    }

    private init(
        _ configuration: Configuration, catalog: Catalog, container: ServiceContainer, wiring: ServiceWiring
    ) {
        let (root, settings) = (configuration.root, configuration.settings)
        (self.root, logger) = (root, configuration.logger)
        quarantine = Quarantine(unchecked: configuration)
        registry = Registry(wiring: wiring)
        loader = Loader(
            finder: LibraryFinder(
                root: root, logger: configuration.logger, readsPrivateCopies: configuration.isWorker),
            patience: configuration.libraryPatience)
        let workshop = Workshop(
            root: root, settings: settings, loader: loader, logger: configuration.logger,
            isIsolating: configuration.isIsolating, program: configuration.workerProgram,
            callLimit: configuration.callLimit)
        codes = LibraryCodeSource(
            loader: loader, workshop: workshop, quarantine: quarantine, isLive: configuration.isLive
        ) { [registry] record, digest, error in
            registry.condemn(record.file, digest, because: error)
        }
        activator = Activator(registry: registry, codes: codes, services: container) {
            record, manifest throws(ViperError) in
            let resources = manifest.resources.map { "\(root.plugins)/\($0)" }
            if let resources, !isFolder(resources) {
                configuration.logger.log(.warning, "\(record.file) names resources that are not there: \(resources)")
            }
            var consumer = try ServiceConsumer(
                manifest, in: record.file, wiring: wiring, settings: settings,
                resources: resources.map { TrustedPath(path: $0, trust: root.trust) })
            if let withheld = configuration.withheld, withheld.module == manifest.name {
                consumer.withheld = withheld.service
            }
            consumer.onDenial = configuration.onDenial
            return consumer
        }
        router = Router(registry: registry, activator: activator)
        liveRoot = LiveRoot(
            root: root, catalog: catalog, registry: registry, activator: activator, loader: loader,
            logger: configuration.logger)
        registry.register(catalog.entries)
        registry.resolve()
        explainLaterSDKs()
        registry.refuse { manifest throws(ViperError) in _ = try manifest.configuration(under: settings) }
        let names = Set(registry.snapshot.modules.map(\.name))
        for value in settings.values where !names.contains(value.module) {
            configuration.logger.log(.warning, "\(value.origin): there is no module \"\(value.module)\"")
        }
        for module in settings.isolated.subtracting(names).sorted() {
            configuration.logger.log(.warning, "isolate \(module): there is no module \"\(module)\"")
        }
        configuration.logger.log(.debug, "works in \(root.path)")
    }

    /// Checks the libraries of all resolved modules without loading them, and refuses those that could not be loaded, with
    /// those that require them.
    public func checkLibraries() {
        let links = LinkCheck()
        registry.refuse { manifest throws(ViperError) in try loader.check(manifest, links) }
    }

    /// Takes a module out of service: its routes go at once, scenes that are open go on. Returns when the last of them has
    /// closed and the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown``.
    public func retire(_ module: String) async throws(ViperError) {
        try await activator.retire(module: module)
    }

    /// Takes what has come to the root, changed in it or gone from it. Returns when all of it is taken or refused; what was refused
    /// for its own sake is tried again.
    public func rescan() async { await liveRoot.rescan(for: .all) }

    /// The generation that answers for the module from a manifest file, made if there was none; for checks.
    func generation(fromManifest file: String) async throws(ViperError) -> Generation {
        try await activator.activate(file)
    }

    /// The module from a manifest file, made if it was not yet; for tests that look at what it holds. Nil in another process.
    @MainActor
    package func module(fromManifest file: String) async throws(ViperError) -> (any Module)? {
        try await activator.activate(file).module
    }

    /// What the module from a manifest file provides under a key; for tests.
    package func provided<Service>(
        _ key: ServiceKey<Service>, fromManifest file: String
    ) async throws(ViperError) -> Service {
        try await activator.activate(file).services.resolve(key)
    }

    /// Retires every module and removes what the host keeps on disk. Windows have to be closed before.
    public func shutDown() async {
        watchers.stop()
        step.withLock { $0 = .endingRescan }
        await liveRoot.end()
        step.withLock { $0 = .retiring }
        await activator.retireAll()
        loader.end()
        step.withLock { $0 = .ended }
    }

    /// Adds to the refusals of modules for a later ViperKit what of it they need.
    private func explainLaterSDKs() {
        var errors: [String: ViperError] = [:]
        for record in registry.snapshot.modules {
            guard let manifest = record.manifest, var refusal = record.state.refusal, refusal.code == .sdkUnsupported
            else { continue }
            refusal.notes += loader.missingDeclarations(manifest)
            errors[record.file] = refusal
        }
        registry.explain(errors)
    }
}
