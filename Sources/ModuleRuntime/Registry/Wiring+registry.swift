extension Wiring {
    /// What a module would be wired with now.
    init(of record: ModuleRecord, in snapshot: RegistrySnapshot, isIsolated: Bool) {
        providers = snapshot.providers(for: record).mapValues { provider in
            Provider(
                file: provider.file, revision: provider.revision,
                generation: isIsolated ? nil : provider.generation?.number)
        }
    }

    /// What a generation was made with.
    init(
        of record: ModuleRecord, in snapshot: RegistrySnapshot, _ generations: [String: Generation], isIsolated: Bool
    ) {
        self.init(of: record, in: snapshot, isIsolated: isIsolated)
        if isIsolated { return }
        for service in providers.keys {
            // One that the module can do without may not have become active.
            providers[service]?.generation = generations[service]?.number
        }
    }
}
