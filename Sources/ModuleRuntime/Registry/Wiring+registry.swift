extension Wiring {
    /// Creates the wiring that a new generation of a module would get from the snapshot.
    init(of record: ModuleRecord, in snapshot: RegistrySnapshot, isIsolated: Bool) {
        providers = snapshot.providers(for: record).mapValues { provider in
            Provider(
                file: provider.file, revision: provider.revision,
                generation: isIsolated ? nil : provider.generation?.number)
        }
    }

    /// Creates the wiring for a new generation of a module.
    ///
    /// - Parameter generations: The generations of the providers that were activated, keyed by service name.
    init(
        of record: ModuleRecord, in snapshot: RegistrySnapshot, _ generations: [String: Generation], isIsolated: Bool
    ) {
        self.init(of: record, in: snapshot, isIsolated: isIsolated)
        if isIsolated { return }
        for service in providers.keys {
            // The provider of an optional service may not have been activated.
            providers[service]?.generation = generations[service]?.number
        }
    }
}
