package import ModuleCatalog
package import ViperKit

/// The modules of one process, with everything that they need to run: a registry, the code that the registry's modules
/// are created from, and a router.
///
/// A host, a worker and a test's host are all built on this type. They differ in where the code and the services come
/// from.
package struct HostedModules: Sendable {
    package let registry: Registry
    package let router: Router
    package let activator: Activator
    /// A closure that returns the error of a module that the settings make unusable, or nil.
    package let fault: @Sendable (Manifest) -> ViperError?
    /// The modules to which the settings give a value.
    package let configured: Set<String>

    /// The registry as modules see it.
    package let reader: RegistryReader
    /// The windows that modules open.
    package var windows: any Windows { hostWindows }
    private let hostWindows: HostWindows
    /// The services that show and use the modules themselves.
    fileprivate static let services = [
        ServiceKey<any ModuleRegistry>.registry.name, ServiceKey<any Windows>.windows.name,
    ]

    /// Creates an empty registry, and a router for it.
    ///
    /// - Parameters:
    ///   - codes: A closure that returns the source of the modules' code.
    ///   - services: The host's services.
    ///   - log: A closure that receives the errors of guards that fail while no route opens.
    ///   - scenes: A closure that returns the source of the scenes in the windows that modules open.
    ///   - consumer: A closure that returns the services and files that a module may use.
    package init(
        wiring: ServiceWiring, settings: Settings, services: ServiceContainer,
        log: @escaping @Sendable (ViperError) -> Void = { _ in },
        codes: (Registry) -> any CodeSource, scenes: (Router) -> any SceneSource & Sendable = { $0 },
        consumer: @escaping @Sendable (ModuleRecord, Manifest, LibraryCopy?) throws(ViperError) -> ServiceConsumer
    ) {
        var wiring = wiring
        wiring.hostServices.formUnion(Self.services)
        let registry = Registry(wiring: wiring)
        let codes = codes(registry)
        let reader = RegistryReader(registry, isIsolated: codes.isIsolated)
        (self.registry, self.reader) = (registry, reader)
        // A test may have provided another one.
        _ = services.register(.registry, provider: "the host", scope: .singleton) { _ in reader }
        activator = Activator(registry: registry, codes: codes, services: services, consumer: consumer)
        let router = Router(registry: registry, activator: activator, settings: settings, log: log)
        let windows = HostWindows(source: scenes(router))
        // The windows own the router, which owns the services.
        _ = services.register(.windows, provider: "the host", scope: .perModule) { [weak windows] consumer in
            guard let windows else { throw CancellationError() }
            return ModuleWindows(windows: windows, module: consumer.module)
        }
        (self.router, hostWindows) = (router, windows)
        configured = Set(settings.values.map(\.module))
        fault = { $0.fault(under: settings) }
    }

    /// Returns modules that are resolved from their manifests alone. They cannot be used.
    package static func resolved(
        _ catalog: Catalog, wiring: ServiceWiring, settings: Settings
    ) -> RegistrySnapshot {
        var wiring = wiring
        wiring.hostServices.formUnion(services)
        let registry = Registry(wiring: wiring)
        registry.register(catalog.entries.map { ModuleFiles($0) })
        registry.refuse { manifest, _ throws(ViperError) in
            if let error = manifest.fault(under: settings) { throw error }
        }
        return registry.snapshot
    }

    /// Creates a host for modules that are linked into this process, and registers them. It has no root and loads no
    /// library.
    ///
    /// - Parameters:
    ///   - catalog: The modules' manifests.
    ///   - types: The modules' types, keyed by manifest file.
    ///   - services: The host's services.
    ///   - guards: The patterns of the routes that each module guards.
    ///   - scenes: A closure that returns the source of the scenes in the windows that modules open.
    package init(
        _ catalog: [CatalogEntry], linkedTo types: [String: any Module.Type], services: ServiceContainer,
        guards: [String: [String]] = [:], scenes: (Router) -> any SceneSource & Sendable = { $0 }
    ) {
        let wiring = ServiceWiring(hostServices: services.names)
        var settings = Settings()
        settings.guards = guards
        self.init(wiring: wiring, settings: settings, services: services) { _ in
            LinkedCodeSource(types: types)
        } scenes: { router in
            scenes(router)
        } consumer: { [settings] record, manifest, _ throws(ViperError) in
            try ServiceConsumer(manifest, in: record.file, wiring: wiring, settings: settings, resources: nil)
        }
        register(catalog.map { ModuleFiles($0.withoutContracts) })
    }

    /// Registers modules and resolves them. Refuses the modules that the settings make unusable.
    package func register(_ files: [ModuleFiles]) {
        registry.register(files)
        registry.refuse { manifest, _ throws(ViperError) in
            if let error = fault(manifest) { throw error }
        }
    }

    /// Returns the module that a manifest file declares, creating the module if necessary. Returns nil if the module
    /// runs in a worker.
    @MainActor
    package func module(fromManifest file: String) async throws(ViperError) -> (any Module)? {
        try await activator.activate(file).module
    }

    /// Returns a service of the module that a manifest file declares, creating the service if necessary.
    package func provided<Service>(
        _ key: ServiceKey<Service>, fromManifest file: String
    ) async throws(ViperError) -> Service {
        try await activator.activate(file).services.resolveOrCreate(key)
    }

    /// Calls the `run()` of the module that a manifest file declares once, creating the module if necessary.
    package func run(fromManifest file: String) async throws(ViperError) {
        try await activator.activate(file).runOnce()
    }

    /// Retires a module. Returns after its last scene has closed and the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name.
    package func retire(_ module: String) async throws(ViperError) {
        try await activator.retire(module: module)
    }

    /// Closes the windows of modules, and retires all modules. All other windows must be closed first.
    package func shutDown() async {
        await hostWindows.closeAll()
        await activator.retireAll()
    }
}

extension CatalogEntry {
    /// The entry of a module whose contracts are linked into this process.
    fileprivate var withoutContracts: CatalogEntry {
        guard var manifest = try? manifest.get(), !manifest.contracts.isEmpty else { return self }
        manifest.contracts = [:]
        return CatalogEntry(file: file, manifest: manifest)
    }
}

extension Manifest {
    /// Returns the error of a module that the settings make unusable, or nil.
    fileprivate func fault(under settings: Settings) -> ViperError? {
        do throws(ViperError) {
            _ = try configuration(under: settings)
            try checkIsolation(under: settings)
        } catch { return error }
        return nil
    }

    /// Throws an error if the module must run in a process of its own, but provides a service, or uses one that exists
    /// only in the host's process.
    fileprivate func checkIsolation(under settings: Settings) throws(ViperError) {
        guard isolation == .process || settings.isolates(name) else { return }
        if let cause = causeAgainstWorkers { throw .cannotIsolate(name, cause) }
        if let service = provides.first {
            throw .isolatesProvider(
                name, of: service,
                fix:
                    "remove it from \"isolate\" in host.json, or isolate the modules that use it: each gets its own provider"
            )
        }
    }
}
