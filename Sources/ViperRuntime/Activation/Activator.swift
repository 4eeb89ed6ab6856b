import ViperKit

/// Brings modules from `resolved` to `active`: each once, also when many ask at the same moment.
actor Activator {
    private let registry: Registry
    private let loader: Loader
    private let container: ServiceContainer
    private let consumer: @Sendable (ModuleRecord, Manifest) throws(ViperError) -> ServiceConsumer
    private var activations: [String: Task<Result<ActiveModule, ViperError>, Never>] = [:]
    // The manifest files of modules in the order in which they became active: providers before those that use them.
    private var activated: [String] = []

    init(
        registry: Registry, loader: Loader, container: ServiceContainer,
        consumer: @escaping @Sendable (ModuleRecord, Manifest) throws(ViperError) -> ServiceConsumer
    ) {
        (self.registry, self.loader, self.container) = (registry, loader, container)
        self.consumer = consumer
    }

    /// The module from this manifest file, ready for use.
    ///
    /// - Throws: The reason why the module is refused, or that it is retired.
    func activate(_ file: String) async throws(ViperError) -> ActiveModule {
        if let activation = activations[file] { return try await activation.value.get() }
        guard let record = registry.snapshot.module(from: file), let manifest = record.manifest else {
            throw ViperError(.moduleUnknown, "cannot use module", file, cause: "no such manifest is registered")
        }
        if let refusal = record.state.refusal { throw refusal }
        guard record.state == .resolved else {
            throw ViperError(.moduleRetired, "cannot use module", record.name, cause: "it is \(record.state.name)")
        }
        let activation = Task { await perform(record, manifest) }
        activations[file] = activation
        return try await activation.value.get()
    }

    /// Takes a module out of service, and stops it once its last scene has closed.
    func retire(_ file: String) async {
        registry.retire(file)
        // Those that require its services and are not loaded yet have lost their provider.
        registry.resolve()
        activated.removeAll { $0 == file }
        guard case .success(let module) = await activations.removeValue(forKey: file)?.value else { return }
        await module.stop()
        container.removeAll(from: module.name)
    }

    /// Retires every module, those that use services before those that provide them.
    func retireAll() async {
        for activation in activations.values { _ = await activation.value }
        for file in activated.reversed() { await retire(file) }
    }

    private func perform(_ record: ModuleRecord, _ manifest: Manifest) async -> Result<ActiveModule, ViperError> {
        do {
            for provider in registry.snapshot.providers(for: record) { try await activate(provider, for: record) }
            let entry = try await entry(for: record, manifest)
            let services = ModuleServices(container: container, consumer: try consumer(record, manifest))
            let module = try await ActiveModule(manifest, entry: entry, services: services)
            try await wire(module, manifest, services)
            registry.activate(record.file)
            activated.append(record.file)
            return .success(module)
        } catch {
            registry.refuse(record.file, because: error)
            return .failure(error)
        }
    }

    private func activate(_ provider: ModuleRecord, for record: ModuleRecord) async throws(ViperError) {
        do {
            _ = try await activate(provider.file)
        } catch {
            throw ViperError(
                .requirementUnmet, "cannot use module", record.name,
                cause: "its provider \"\(provider.name)\" cannot be used",
                notes: [.init("because", error.summary)] + error.notes, mend: error.mend)
        }
    }

    private func entry(for record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> ModuleEntry {
        let entry =
            switch record.code {
            case .linked(let entry): entry
            case .library: try await loader.load(manifest)
            }
        if !manifest.routes.isEmpty && !entry.answersRoutes { throw mismatch(record, "routes", "RoutedModule") }
        if !manifest.provides.isEmpty && !entry.providesServices { throw mismatch(record, "provides", "ServiceModule") }
        return entry
    }

    /// Takes the services that a module provides. One that cannot is asked to stop: it has been made.
    private func wire(
        _ module: ActiveModule, _ manifest: Manifest, _ services: ModuleServices
    ) async throws(ViperError) {
        do {
            try await module.registerServices(
                with: ModuleRegistrar(container: container, services: services, provides: manifest.provides))
        } catch {
            container.removeAll(from: manifest.name)
            await module.stop()
            throw error
        }
    }

    private func mismatch(_ record: ModuleRecord, _ key: String, _ type: String) -> ViperError {
        ViperError(
            .moduleFailed, "cannot use module", record.name,
            cause: "its manifest has \"\(key)\", and its code is no \(type)", notes: [.init("manifest", record.file)],
            mend: "conform the module to \(type), or remove \"\(key)\"")
    }
}
