import HostSystem
package import ModuleCatalog
package import ViperKit

/// Makes generations, each module's first one when it is first needed, and lets newer ones take over.
package actor Activator {
    let registry: Registry
    let codes: any CodeSource
    private let services: ServiceContainer
    private let consumer: @Sendable (ModuleRecord, Manifest) throws(ViperError) -> ServiceConsumer
    private(set) var activations: [String: Task<Result<Generation, ViperError>, Never>] = [:]
    // What was loaded for a module before it is made.
    private var loaded: [String: (revision: Int, code: any ModuleCode)] = [:]
    // Generations that answer no more, until their last scene has closed.
    private var endings: [ObjectIdentifier: Task<Void, Never>] = [:]

    /// - Parameters:
    ///   - services: What the host itself provides.
    ///   - consumer: What a module may ask for.
    package init(
        registry: Registry, codes: any CodeSource, services: ServiceContainer,
        consumer: @escaping @Sendable (ModuleRecord, Manifest) throws(ViperError) -> ServiceConsumer
    ) {
        (self.registry, self.codes, self.services) = (registry, codes, services)
        self.consumer = consumer
    }

    /// The generation that answers for the module from this manifest file; it is made if there is none, once, also when many ask
    /// at the same moment.
    ///
    /// - Throws: The reason why the module is refused, or that it is retired.
    package func activate(_ file: String) async throws(ViperError) -> Generation {
        for _ in 0..<Self.patience {
            let result: Result<Generation, ViperError>
            if let activation = activations[file] {
                result = await activation.value
            } else {
                guard let record = registry.snapshot.module(from: file), let manifest = record.manifest else {
                    throw ViperError(.moduleUnknown, "cannot use module", file, cause: "no such manifest is registered")
                }
                if let generation = record.generation { return generation }
                if let refusal = record.state.refusal { throw refusal }
                guard record.state == .resolved else {
                    throw ViperError(
                        .moduleRetired, "cannot use module", record.name, cause: "it is \(record.state.name)")
                }
                let activation = Task {
                    // Here, so that none of those who wait finds it when it is over.
                    defer { activations[file] = nil }
                    return await first(of: record, manifest)
                }
                activations[file] = activation
                result = await activation.value
            }
            // Whoever it was made for has been changed meanwhile: anew.
            if case .failure(let error) = result, error.code == .moduleOutdated {
                registry.resolve()
                continue
            }
            return try result.get()
        }
        throw .outdated(file)
    }

    /// How often something is begun anew because what it is for has changed meanwhile. It is over with the change, mostly at once.
    private static let patience = 10

    /// Loads a module's code, without making the module.
    package func load(_ file: String) async throws(ViperError) {
        let snapshot = registry.snapshot
        guard let record = snapshot.module(from: file), let manifest = record.manifest, record.generation == nil
        else { return }
        if let refusal = record.state.refusal { throw refusal }
        let copy = try await codes.copy(manifest)
        loaded[file] = (record.revision, try await codes.code(of: record, manifest, from: copy, in: snapshot))
    }

    private func first(of record: ModuleRecord, _ manifest: Manifest) async -> Result<Generation, ViperError> {
        let loaded = loaded.removeValue(forKey: record.file)
        do {
            let code = loaded?.revision == record.revision ? loaded?.code : nil
            let generation = try await make(record, manifest, in: registry.snapshot, with: code)
            if registry.activate(record, as: generation) { return .success(generation) }
            discard(generation)
        } catch {
            if !error.isOfModule || registry.refuse(record, because: error) { return .failure(error) }
        }
        return .failure(.outdated(record.name))
    }

    /// Finds out whether a module's code works, without making the module, and refuses it if not.
    package func prove(_ file: String) async throws(ViperError) {
        try await untilCurrent(file) { () async throws(ViperError) in try await proveOnce(file) }
    }

    private func proveOnce(_ file: String) async throws(ViperError) {
        let snapshot = registry.snapshot
        guard let record = snapshot.module(from: file), record.state == .resolved else { return }
        do { try await prove(record, in: snapshot) } catch {
            // It is proved when it is first needed, too.
            if error.isOfModule { registry.refuse(record, because: error) }
            throw error
        }
    }

    func prove(_ record: ModuleRecord, in snapshot: RegistrySnapshot) async throws(ViperError) {
        guard let manifest = record.manifest else { return }
        try await proveProviders(of: record, in: snapshot)
        try await codes.prove(record, manifest, try await codes.copy(manifest), in: snapshot)
    }

    /// Finds out whether those work that provide for a module. In a probe of the module itself their crash would be taken for its own.
    func proveProviders(of record: ModuleRecord, in snapshot: RegistrySnapshot) async throws(ViperError) {
        for (service, provider) in snapshot.providers(for: record) where provider.generation == nil {
            do { try await prove(provider.file) } catch { try forgive(provider, service, for: record, error) }
        }
    }

    /// Does something, and once more whenever that of which it began has changed meanwhile.
    func untilCurrent(_ module: String, _ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        for _ in 0..<Self.patience {
            do { return try await work() } catch { if error.code != .moduleOutdated { throw error } }
            registry.resolve()
        }
        throw .outdated(module)
    }

    /// Asks a generation for its health.
    ///
    /// - Throws: What the module threw, or that it does not answer.
    package func checkHealth(of generation: Generation) async throws(ViperError) {
        try await withTimeLimit(.seconds(10), "cannot use module", generation.manifest.name) {
            () async throws(ViperError) in try await generation.checkHealth()
        }
    }

    /// Takes the module of a name out of service. Returns when its last scene has closed and it has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown``.
    package func retire(module: String) async throws(ViperError) {
        guard let record = registry.snapshot.modules.first(where: { $0.name == module }) else {
            throw ViperError(.moduleUnknown, "cannot retire module", module, cause: "there is none of that name")
        }
        await retire(record.file)
    }

    /// Takes a module out of service. Returns when its last scene has closed and it has stopped.
    package func retire(_ file: String) async {
        let generation = registry.snapshot.module(from: file)?.generation
        registry.retire(file)
        await settle()
        if let generation { await endings[ObjectIdentifier(generation)]?.value }
    }

    /// Forgets a retired module once its last scene has closed, unless it is back or something of it stays in this process.
    package func forget(_ file: String) async {
        guard let record = registry.snapshot.module(from: file), record.history.images.isEmpty else { return }
        for generation in record.history.draining { await endings[ObjectIdentifier(generation)]?.value }
        registry.remove(file)
    }

    func endOrphans() {
        for orphan in registry.takeOrphans() {
            orphan.history.retire(orphan)
            endings[ObjectIdentifier(orphan)] = Task {
                await orphan.stop()
                orphan.history.end(orphan)
                endings[ObjectIdentifier(orphan)] = nil
            }
        }
    }

    /// Ends a generation that never answered. Nobody waits for a module that does not stop.
    func discard(_ generation: Generation) {
        endings[ObjectIdentifier(generation)] = Task {
            await generation.stop()
            endings[ObjectIdentifier(generation)] = nil
        }
    }

    /// Retires every module. Returns when all have stopped: those that use services before those that provide them.
    package func retireAll() async {
        for activation in activations.values { _ = await activation.value }
        registry.retireAll()
        endOrphans()
        for ending in endings.values { await ending.value }
    }

    /// Makes a generation of a module, as it stands in a snapshot, and those that it is wired with.
    func make(
        _ record: ModuleRecord, _ manifest: Manifest, in snapshot: RegistrySnapshot, with code: (any ModuleCode)? = nil
    ) async throws(ViperError) -> Generation {
        var providers: [String: Generation] = [:]
        let isIsolated = codes.isIsolated(manifest)
        do {
            if isIsolated { try await proveProviders(of: record, in: snapshot) }
            // In a worker they are made once more.
            for (service, provider) in isIsolated ? [:] : snapshot.providers(for: record) {
                providers[service] = try await begin(provider, of: service, for: record)
            }
            let own = ServiceContainer(beside: services)
            let moduleServices = ModuleServices(
                consumer: try consumer(record, manifest), own: own, host: services,
                providers: providers.mapValues(\.services), withheld: snapshot.withheldServices(from: record))
            let code =
                if let code { code } else {
                    try await codes.code(
                        of: record, manifest, from: try await codes.copy(manifest), in: snapshot)
                }
            let running = try await code.run(manifest, moduleServices)
            return Generation(
                record.history, of: manifest, code, running, services: own, providers: providers,
                wiring: Wiring(of: record, in: snapshot, providers, isIsolated: isIsolated))
        } catch {
            Generation.end(providers)
            throw error
        }
    }

    /// The generation that provides a service, with a use of it begun. Nil when the module can do without, and it cannot be used now.
    private func begin(
        _ provider: ModuleRecord, of service: String, for record: ModuleRecord
    ) async throws(ViperError) -> Generation? {
        do {
            while true {
                let generation = try await activate(provider.file)
                if generation.uses.begin() { return generation }
            }
        } catch {
            try forgive(provider, service, for: record, error)
            return nil
        }
    }

    /// Lets a module do without a service whose provider cannot be used, if it can.
    ///
    /// - Throws: Why it cannot, or that the provider is refused from now on, so that another one may be there for the service.
    private func forgive(
        _ provider: ModuleRecord, _ service: String, for record: ModuleRecord, _ error: ViperError
    ) throws(ViperError) {
        if record.manifest?.optional.contains(service) == true {
            if error.isOfModule { throw .outdated(record.name) }
            return
        }
        throw ViperError(
            error.isOfModule ? .requirementUnmet : error.code, "cannot use module", record.name,
            cause: "its provider \"\(provider.name)\" cannot be used",
            notes: [.init("because", error.summary)] + error.notes, mend: error.mend)
    }
}

extension ViperError {
    static func outdated(_ module: String) -> Self {
        Self(
            .moduleOutdated, "cannot use module", module, cause: "it, or what provides for it, changes all the time",
            mend: "try again")
    }
}
