extension Wiring {
    /// Creates the wiring that a new generation of a module would get from the snapshot.
    init(of record: ModuleRecord, in snapshot: RegistrySnapshot, isIsolated: Bool) {
        self.isIsolated = isIsolated
        providers = snapshot.providers(for: record).mapValues { provider in
            Provider(
                file: provider.file, revision: provider.revision,
                generation: isIsolated ? nil : provider.generation?.number)
        }
    }

    /// Returns true if a new generation of the module would get the same providers from the snapshot.
    func isCurrent(for record: ModuleRecord, in snapshot: RegistrySnapshot) -> Bool {
        self == Wiring(of: record, in: snapshot, isIsolated: isIsolated)
    }

    /// Returns the wiring with the providers that were activated.
    ///
    /// - Parameter generations: The generations of the activated providers, keyed by service name. The provider of an
    ///   optional service may be missing.
    func using(_ generations: [String: Generation]) -> Wiring {
        var wiring = self
        if isIsolated { return wiring }
        for service in providers.keys { wiring.providers[service]?.generation = generations[service]?.number }
        return wiring
    }
}
