import HostSystem
package import ModuleCatalog
package import ViperKit

/// An actor that creates each module's first generation on demand, and replaces generations with newer ones.
package actor Activator {
    let registry: Registry
    let codes: any CodeSource
    private let services: ServiceContainer
    private let consumer: @Sendable (ModuleRecord, Manifest) throws(ViperError) -> ServiceConsumer
    private(set) var activations: [String: Task<Result<Generation, ViperError>, Never>] = [:]
    // The code of modules that were loaded but have no generation yet, keyed by manifest file.
    private var loaded: [String: (revision: Int, code: any ModuleCode)] = [:]
    // The tasks that stop generations. Each task waits until the last use of its generation has ended.
    private var endings: [ObjectIdentifier: Task<Void, Never>] = [:]

    /// Creates an activator for a registry's modules.
    ///
    /// - Parameters:
    ///   - services: The host's services.
    ///   - consumer: A closure that returns the services and files that a module may use.
    package init(
        registry: Registry, codes: any CodeSource, services: ServiceContainer,
        consumer: @escaping @Sendable (ModuleRecord, Manifest) throws(ViperError) -> ServiceConsumer
    ) {
        (self.registry, self.codes, self.services) = (registry, codes, services)
        self.consumer = consumer
    }

    /// Returns a module's current generation, creating it if necessary. Concurrent calls share a single activation.
    ///
    /// - Throws: The module's error if the module is refused, the error that made the activation fail,
    ///   ``ViperError/Code/moduleUnknown``, or ``ViperError/Code/moduleRetired``.
    package func activate(_ file: String) async throws(ViperError) -> Generation {
        for _ in 0..<Self.attempts {
            let result: Result<Generation, ViperError>
            if let activation = activations[file] {
                result = await activation.value
            } else {
                guard let record = registry.snapshot.module(from: file), let manifest = record.manifest else {
                    throw ViperError(
                        .moduleUnknown, operation: "cannot use module", subject: file,
                        cause: "its manifest is not registered")
                }
                if let generation = record.generation { return generation }
                if let refusal = record.state.refusal { throw refusal }
                guard record.state == .resolved else {
                    throw ViperError(
                        .moduleRetired, operation: "cannot use module", subject: record.name,
                        cause: "it is \(record.state.name)")
                }
                let activation = Task {
                    // Remove the activation inside the task, so that no waiting call finds a finished activation.
                    defer { activations[file] = nil }
                    return await first(of: record, manifest)
                }
                activations[file] = activation
                result = await activation.value
            }
            // The module or a provider has changed since the activation started.
            if case .failure(let error) = result, error.code == .moduleOutdated {
                registry.resolve()
                continue
            }
            return try result.get()
        }
        throw .outdated(file)
    }

    /// The maximum number of attempts while the module or its providers keep changing.
    private static let attempts = 10

    /// Loads a module's code without creating the module. Does nothing if the module already has a generation.
    package func load(_ file: String) async throws(ViperError) {
        let snapshot = registry.snapshot
        guard let record = snapshot.module(from: file), let manifest = record.manifest, record.generation == nil
        else { return }
        if let refusal = record.state.refusal { throw refusal }
        let copy = try await codes.copy(manifest)
        loaded[file] = (record.revision, try await codes.code(of: record, manifest, from: copy, in: snapshot))
    }

    /// Returns the differences between a module's manifest and its code. Loads the module's code if necessary.
    package func differences(_ file: String) async throws(ViperError) -> [String] {
        if loaded[file] == nil { try await load(file) }
        let record = registry.snapshot.module(from: file)
        guard let manifest = record?.manifest, let code = loaded[file]?.code ?? record?.generation?.code else {
            return []
        }
        return await code.differences(from: manifest)
    }

    private func first(of record: ModuleRecord, _ manifest: Manifest) async -> Result<Generation, ViperError> {
        let loaded = loaded.removeValue(forKey: record.file)
        do {
            let code = loaded?.revision == record.revision ? loaded?.code : nil
            let generation = try await make(record, manifest, in: registry.snapshot, with: code)
            if registry.activate(record, as: generation) { return .success(generation) }
            discard(generation)
        } catch {
            if !error.isModuleFault || registry.refuse(record, because: error) { return .failure(error) }
        }
        return .failure(.outdated(record.name))
    }

    /// Checks that a module's code works, without creating the module in this process. Refuses the module if it
    /// does not work.
    package func prove(_ file: String) async throws(ViperError) {
        try await retryIfOutdated(file) { () async throws(ViperError) in try await proveOnce(file) }
    }

    private func proveOnce(_ file: String) async throws(ViperError) {
        let snapshot = registry.snapshot
        guard let record = snapshot.module(from: file), record.state == .resolved else { return }
        do { try await prove(record, in: snapshot) } catch {
            // Other errors do not cause a refusal, because the module is checked again before its first use.
            if error.isModuleFault { registry.refuse(record, because: error) }
            throw error
        }
    }

    func prove(_ record: ModuleRecord, in snapshot: RegistrySnapshot) async throws(ViperError) {
        guard let manifest = record.manifest else { return }
        try await proveProviders(of: record, in: snapshot)
        try await codes.prove(record, manifest, try await codes.copy(manifest), in: snapshot)
    }

    /// Checks a module's providers. Call this method before checking the module itself, so that a provider's crash is
    /// not attributed to the module.
    func proveProviders(of record: ModuleRecord, in snapshot: RegistrySnapshot) async throws(ViperError) {
        for (service, provider) in snapshot.providers(for: record) where provider.generation == nil {
            do { try await prove(provider.file) } catch { try tolerateFailure(provider, service, for: record, error) }
        }
    }

    /// Runs a closure. Runs it again if the module or one of its providers changed in the meantime.
    ///
    /// - Throws: The error that the closure throws, or ``ViperError/Code/moduleOutdated`` after too many attempts.
    func retryIfOutdated(_ module: String, _ work: () async throws(ViperError) -> Void) async throws(ViperError) {
        for _ in 0..<Self.attempts {
            do { return try await work() } catch { if error.code != .moduleOutdated { throw error } }
            registry.resolve()
        }
        throw .outdated(module)
    }

    /// Checks a generation's health, with a time limit of ten seconds.
    ///
    /// - Throws: The error that the module throws, or ``ViperError/Code/timeLimit`` if the check takes too long.
    package func checkHealth(of generation: Generation) async throws(ViperError) {
        try await withTimeLimit(.seconds(10), "cannot use module", generation.manifest.name) {
            () async throws(ViperError) in try await generation.checkHealth()
        }
    }

    /// Retires the module with this name. Returns after its last scene has closed and the module has stopped.
    ///
    /// - Throws: ``ViperError/Code/moduleUnknown`` if no module has this name.
    package func retire(module: String) async throws(ViperError) {
        guard let record = registry.snapshot.modules.first(where: { $0.name == module }) else {
            throw ViperError(
                .moduleUnknown, operation: "cannot retire module", subject: module, cause: "no module has this name")
        }
        await retire(record.file)
    }

    /// Retires a module. Returns after its last use has ended and the module has stopped.
    func retire(_ file: String) async {
        let generation = registry.snapshot.module(from: file)?.generation
        registry.retire(file)
        await settle()
        if let generation { await endings[ObjectIdentifier(generation)]?.value }
    }

    /// Removes a retired module from the registry after its last use has ended. Does nothing if the module was added
    /// again, or if its library is loaded into this process.
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

    /// Stops a generation that was never current. Does not wait for the generation to stop.
    func discard(_ generation: Generation) {
        endings[ObjectIdentifier(generation)] = Task {
            await generation.stop()
            endings[ObjectIdentifier(generation)] = nil
        }
    }

    /// Retires all modules. Returns after all of them have stopped. A module stops before its providers, because it
    /// uses their services.
    package func retireAll() async {
        for activation in activations.values { _ = await activation.value }
        registry.retireAll()
        endOrphans()
        for ending in endings.values { await ending.value }
    }

    /// Creates a generation from a record in a snapshot. Activates the module's providers first, unless the module runs
    /// in a worker.
    func make(
        _ record: ModuleRecord, _ manifest: Manifest, in snapshot: RegistrySnapshot, with code: (any ModuleCode)? = nil
    ) async throws(ViperError) -> Generation {
        var providers: [String: Generation] = [:]
        let isIsolated = codes.isIsolated(manifest)
        do {
            if isIsolated { try await proveProviders(of: record, in: snapshot) }
            // A worker creates its own instances of the providers.
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

    /// Activates a service's provider, and begins a use of the provider's generation.
    ///
    /// - Returns: The provider's generation. Nil if the service is optional and its provider cannot be used now.
    private func begin(
        _ provider: ModuleRecord, of service: String, for record: ModuleRecord
    ) async throws(ViperError) -> Generation? {
        do {
            while true {
                let generation = try await activate(provider.file)
                if generation.uses.begin() { return generation }
            }
        } catch {
            try tolerateFailure(provider, service, for: record, error)
            return nil
        }
    }

    /// Ignores a provider's error if the service is optional and the provider may work later. Otherwise throws an
    /// error.
    ///
    /// - Throws: ``ViperError/Code/moduleOutdated`` if the service is optional and its provider is refused, because
    ///   another module may provide the service. If the service is required, an error that contains the provider's
    ///   error.
    private func tolerateFailure(
        _ provider: ModuleRecord, _ service: String, for record: ModuleRecord, _ error: ViperError
    ) throws(ViperError) {
        if record.manifest?.optional.contains(service) == true {
            if error.isModuleFault { throw .outdated(record.name) }
            return
        }
        throw ViperError(
            error.isModuleFault ? .requirementUnmet : error.code, operation: "cannot use module", subject: record.name,
            cause: "its provider \"\(provider.name)\" cannot be used",
            notes: [.init("because", error.summary)] + error.notes, fix: error.fix)
    }
}

extension ViperError {
    static func outdated(_ module: String) -> Self {
        Self(
            .moduleOutdated, operation: "cannot use module", subject: module,
            cause: "it, or a provider that it uses, keeps changing",
            fix: "retry")
    }
}
