/// What a generation was wired with, to tell whether that is still what answers.
struct Wiring: Equatable, Sendable {
    private struct Provider: Equatable {
        var file: String
        var revision: Int
        /// The number of its generation; nil where it is not in this process.
        var generation: Int?
    }

    private var providers: [String: Provider]

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
