extension Wiring {
    /// Determines the providers that a new generation of the module would get now.
    init(of record: ModuleRecord, in snapshot: RegistrySnapshot, isIsolated: Bool) {
        providers = snapshot.providers(for: record).mapValues { provider in
            Provider(
                file: provider.file, revision: provider.revision,
                generation: isIsolated ? nil : provider.generation?.number)
        }
    }

    /// Determines the providers that a new generation was given.
    init(
        of record: ModuleRecord, in snapshot: RegistrySnapshot, _ generations: [String: Generation], isIsolated: Bool
    ) {
        self.init(of: record, in: snapshot, isIsolated: isIsolated)
        if isIsolated { return }
        for service in providers.keys {
            // An optional provider may not have become active.
            providers[service]?.generation = generations[service]?.number
        }
    }
}
