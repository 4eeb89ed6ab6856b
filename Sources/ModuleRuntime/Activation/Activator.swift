import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// An actor that creates generations: each module's first one on demand, and later ones for a reconciliation.
package actor Activator {
    let registry: Registry
    package nonisolated let codes: any CodeSource
    private let services: ServiceContainer
    private let consumer: @Sendable (ModuleRecord, Manifest, LibraryCopy?) throws(ViperError) -> ServiceConsumer
    /// The reader of new generations. The router sets it before the first activation.
    private nonisolated let reader = Mutex(WeakReader())
    private var activations: [String: Task<Result<Generation, ViperError>?, Never>] = [:]
    // The code of modules that were loaded but have no generation yet, keyed by manifest file.
    private var loaded: [String: (revision: Int, code: any ModuleCode)] = [:]

    /// Creates an activator for a registry's modules.
    ///
    /// - Parameters:
    ///   - services: The host's services.
    ///   - consumer: A closure that returns the services and files that a module may use, given the copy of its library.
    package init(
        registry: Registry, codes: any CodeSource, services: ServiceContainer,
        consumer: @escaping @Sendable (ModuleRecord, Manifest, LibraryCopy?) throws(ViperError) -> ServiceConsumer
    ) {
        (self.registry, self.codes, self.services) = (registry, codes, services)
        self.consumer = consumer
    }

    /// Sets the reader of new generations.
    nonisolated func set(_ reader: any GenerationReader) { self.reader.withLock { $0.reader = reader } }

    /// Lets the reader begin with a generation that is not in the registry yet.
    func prepare(_ generation: Generation) async { await reader.withLock(\.reader)?.read(from: generation) }

    /// The maximum number of attempts while the module or its providers keep changing.
    private static let attempts = 10

    /// Returns a module's current generation, creating it if necessary. Concurrent calls share a single activation.
    ///
    /// - Throws: The module's error if the module is refused, the error that made the activation fail,
    ///   ``ViperError/Code/moduleUnknown``, or ``ViperError/Code/moduleRetired``.
    package func activate(_ file: String) async throws(ViperError) -> Generation {
        for _ in 0..<Self.attempts {
            if let activation = activations[file] {
                if let result = await activation.value { return try result.get() }
                continue
            }
            guard let record = registry.snapshot.module(from: file) else {
                throw ViperError(
                    .moduleUnknown, operation: "cannot use module", subject: file,
                    cause: "its manifest is not registered")
            }
            if let generation = record.generation { return generation }
            if let refusal = record.state.refusal { throw refusal }
            guard record.state == .resolved, let manifest = record.manifest else {
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
            if let result = await activation.value { return try result.get() }
        }
        throw ViperError(
            .moduleOutdated, operation: "cannot use module", subject: file,
            cause: "it, or a provider that it uses, keeps changing",
            fix: "retry")
    }

    /// Creates a module's first generation.
    ///
    /// - Returns: Nil if the module or a provider changed meanwhile.
    private func first(of record: ModuleRecord, _ manifest: Manifest) async -> Result<Generation, ViperError>? {
        let loaded = loaded.removeValue(forKey: record.file)
        do {
            let code = loaded?.revision == record.revision ? loaded?.code : nil
            let snapshot = registry.snapshot
            guard let generation = try await make(record, manifest, in: snapshot, with: code) else { return nil }
            await prepare(generation)
            if registry.activate(record, as: generation) { return .success(generation) }
            generation.retire()
            return nil
        } catch {
            if error.code == .moduleOutdated, let files = await codes.newFiles(of: record) {
                registry.register([files])
                return nil
            }
            if error.code == .moduleOutdated, await isReplaced(record) { return nil }
            // The module is refused with its provider, whose refusal is newer than the record.
            if error.code == .requirementUnmet, let refusal = registry.snapshot.module(from: record.file)?.state.refusal
            {
                return .failure(refusal)
            }
            return !error.isModuleFault || registry.refuse(record, because: error) ? .failure(error) : nil
        }
    }

    /// Waits until a module's record is replaced, for at most two seconds. A serving host reads a replaced manifest within
    /// this time, if the file is complete.
    private func isReplaced(_ record: ModuleRecord) async -> Bool {
        let changes = registry.changes(keeping: .bufferingNewest(1))
        let isReplaced: @Sendable () -> Bool = { [registry] in
            registry.snapshot.module(from: record.file)?.revision != record.revision
        }
        return
            (try? await withTimeLimit(.seconds(2), "cannot use module", record.name) {
                var changes = changes.makeAsyncIterator()
                while !isReplaced() { if await changes.next() == nil { return false } }
                return true
            }) ?? false
    }

    /// Loads a module's code without creating the module. Does nothing if the module already has a generation.
    package func load(_ file: String) async throws(ViperError) {
        let snapshot = registry.snapshot
        guard let record = snapshot.module(from: file), let manifest = record.manifest, record.generation == nil
        else { return }
        if let refusal = record.state.refusal { throw refusal }
        let copy = try await codes.copy(of: record, manifest)
        loaded[file] = (record.revision, try await code(of: record, manifest, from: copy, in: snapshot))
    }

    /// Returns the code that creates a module. Loads the contracts that it uses first.
    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode {
        // A worker loads the contracts itself.
        for contract in codes.isIsolated(manifest) ? [] : snapshot.contracts(of: manifest) {
            do { _ = try await activate(contract.file) } catch {
                try tolerateFailure(contract, contract.manifest?.offers.first ?? "", for: record, error)
            }
        }
        return try await codes.code(of: record, manifest, from: copy, in: snapshot)
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

    /// Creates a generation from a record in a snapshot. Activates the module's providers first, unless the module runs
    /// in a worker.
    ///
    /// - Returns: Nil if the module's providers changed meanwhile.
    func make(
        _ record: ModuleRecord, _ manifest: Manifest, in snapshot: RegistrySnapshot, with code: (any ModuleCode)? = nil
    ) async throws(ViperError) -> Generation? {
        var providers: [String: Generation] = [:]
        var collectors: [String: Collector] = [:]
        let wiring = Wiring(of: record, in: snapshot, isIsolated: codes.isIsolated(manifest))
        do {
            if wiring.isIsolated { try await proveProviders(of: record, in: snapshot) }
            // A worker creates its own instances of the providers.
            for (service, provider) in wiring.isIsolated ? [:] : snapshot.providers(for: record) {
                providers[service] = try await begin(provider, of: service, for: record)
            }
            // Without this check, a module would be created again after its optional provider was refused.
            guard
                wiring.providers.values.allSatisfy({ registry.snapshot.module(from: $0.file)?.revision == $0.revision }
                ),
                snapshot.providers(for: record).allSatisfy({ isUsable($0.value) })
            else {
                Generation.end(providers)
                return nil
            }
            let own = ServiceContainer(beside: services)
            let copy = if let code { code.copy } else { try await self.copy(of: record, manifest) }
            let consumer = try consumer(record, manifest, copy)
            for service in manifest.collects {
                collectors[service] = Collector(
                    of: service, source(of: service, for: record.file), for: consumer, services.creations)
            }
            let moduleServices = ModuleServices(
                consumer: consumer, own: own, host: services, providers: providers.mapValues(\.services),
                withheld: snapshot.withheldServices(from: record), collecting: collectors)
            let (code, running) = try await record.history.start { () async throws(ViperError) in
                let code =
                    if let code { code } else {
                        try await self.code(of: record, manifest, from: copy, in: snapshot)
                    }
                return (code, try await code.run(manifest, moduleServices))
            }
            let isRewired = record.generation.map { $0.wiring != wiring && $0.files == record.files } ?? false
            return Generation(
                record.history, of: manifest, code, running, services: own, providers: providers,
                wiring: wiring.using(providers), files: record.files,
                rewirings: isRewired ? record.rewirings + 1 : 0, collectors: Array(collectors.values),
                resources: consumer.resources)
        } catch {
            for collector in collectors.values { await collector.end() }
            Generation.end(providers)
            throw error
        }
    }

    private func copy(of record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> LibraryCopy? {
        try await record.history.start { () async throws(ViperError) in try await codes.copy(of: record, manifest) }
    }

    /// Returns what a module that collects a service needs of the registry and of this actor.
    ///
    /// - Parameter file: The module's manifest file.
    private func source(of service: String, for file: String) -> Collector.Source {
        // The registry owns the generations, which own their collectors.
        Collector.Source { [weak registry] in
            registry?.snapshot.collected(service, by: file) ?? []
        } provider: { [weak registry] in
            registry?.snapshot.collected(service, from: $0)
        } changes: { [weak registry] in
            registry?.changeSignals() ?? AsyncStream { $0.finish() }
        } activate: { [weak self] file throws(ViperError) in
            guard let self else {
                throw ViperError(
                    .moduleRetired, operation: "cannot use module", subject: file, cause: "the host is shutting down")
            }
            return try await self.activate(file)
        }
    }

    private func isUsable(_ provider: ModuleRecord) -> Bool {
        registry.snapshot.module(from: provider.file)?.state.isUsable == true
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

    /// Ignores a provider's error if the service is optional. Otherwise throws an error that contains the provider's
    /// error.
    func tolerateFailure(
        _ provider: ModuleRecord, _ service: String, for record: ModuleRecord, _ error: ViperError
    ) throws(ViperError) {
        if record.manifest?.optional.contains(service) == true { return }
        throw ViperError(
            error.isModuleFault ? .requirementUnmet : error.code, operation: "cannot use module", subject: record.name,
            cause: "its provider \"\(provider.name)\" cannot be used",
            notes: [.init("because", error.summary)] + error.notes, fix: error.fix)
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
        registry.retire(record.file)
        await record.history.stopped()
    }

    /// Retires all modules. Returns after all of them have stopped. A module stops before its providers, because it
    /// uses their services.
    package func retireAll() async {
        for activation in activations.values { _ = await activation.value }
        let histories = registry.snapshot.modules.map(\.history)
        registry.retireAll()
        for history in histories { await history.stopped() }
    }
}
