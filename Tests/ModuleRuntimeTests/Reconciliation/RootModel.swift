import HostSystem
import ModuleTestSupport
import Testing
import ViperKit

@testable import ModuleCatalog
@testable import ModuleRuntime

/// A root without files, a registry, and the reconciliation between them. A test decides when time passes and how each
/// step ends.
final class RootModel {
    let registry = Registry(wiring: ServiceWiring(hostServices: []))
    private(set) var next = Reconciliation.Next()
    private var reconciliation: Reconciliation
    private var libraries = 0
    /// The generations that steps have made.
    private var made: [Generation] = []

    /// The generations that are neither current nor needed later, but were not retired. There must be none.
    var leaked: [Generation] {
        let waiting = reconciliation.outcomes.values.joined().compactMap(\.generation)
        return made.filter { generation in
            let record = registry.snapshot.modules.first { $0.history === generation.history }
            return record?.generation !== generation && !waiting.contains { $0 === generation } && !generation.isRetired
        }
    }

    init(isolated: Set<String> = [], faulty: Set<String> = []) {
        reconciliation = Reconciliation(
            desired: [:], outcomes: [:], now: .now, isIsolated: { isolated.contains($0.name) },
            fault: {
                faulty.contains($0.name)
                    ? ViperError(.settingInvalid, operation: "cannot use", subject: $0.name, cause: "a test") : nil
            })
    }

    /// Puts a manifest and a new library into the root.
    func put(_ entry: CatalogEntry) {
        libraries += 1
        let identity = FileIdentity(fields: [0, 0, 1, libraries, libraries])
        reconciliation.desired[entry.file] = .present(ModuleFiles(entry, library: identity))
    }

    /// Puts a manifest and a library with a known number into the root.
    func put(_ entry: CatalogEntry, library: Int) {
        let identity = FileIdentity(fields: [0, 0, 1, library, library])
        reconciliation.desired[entry.file] = .present(ModuleFiles(entry, library: identity))
    }

    func remove(_ name: String) { reconciliation.desired[Self.file(name)] = .absent(since: reconciliation.now) }

    var now: ContinuousClock.Instant { reconciliation.now }

    /// Makes this host start the work of the modules that run.
    func startRuns(configured: Set<String> = []) {
        (reconciliation.runs, reconciliation.configured) = ([.serving, .configured, .always], configured)
    }

    func pass(_ time: Duration) { reconciliation.now += time }

    /// Reconciles until nothing changes any more.
    func reconcile() {
        for _ in 0..<20 {
            let before = registry.snapshot
            next = registry.write { draft in reconciliation.apply(to: &draft) }
            reconciliation.outcomes = next.outcomes
            next.unused.forEach { $0.retire() }
            if registry.snapshot === before { return }
        }
        Issue.record("the registry never settles")
    }

    /// Retries what was refused or rejected, as after a change in the quarantine.
    func retry() {
        reconciliation.outcomes = reconciliation.outcomes.mapValues { $0.filter { $0.generation != nil } }
        let settled = reconciliation.settled(in: registry.snapshot)
        registry.write { draft in draft.retryFaults(at: reconciliation.now, except: settled) }
        reconcile()
    }

    /// The files that the root has.
    var files: [String] { reconciliation.desired.keys.filter { desired($0) != nil } }

    /// The files of a module in the root. Nil if they are missing.
    func desired(_ file: String) -> ModuleFiles? {
        if case .present(let files) = reconciliation.desired[file] { files } else { nil }
    }

    func step(_ name: String) -> Step? { next.steps[Self.file(name)] }

    /// Ends a module's step, successfully unless an error is given, and reconciles.
    func end(_ name: String, _ error: ViperError? = nil) throws {
        try end(try #require(step(name)), error)
        reconcile()
    }

    func end(_ step: Step, _ error: ViperError? = nil) throws {
        let file = step.record.file
        let result: Result<Generation?, ViperError>
        if let error {
            result = .failure(error)
        } else {
            result = .success(step.record.generation == nil ? nil : try generation(of: step.record, in: step.snapshot))
        }
        let others = reconciliation.outcomes[file, default: []]
        let outcome = Outcome(result, of: step, at: reconciliation.now)
        if let generation = outcome.generation { made.append(generation) }
        others.filter { $0.files == outcome.files }.forEach { $0.generation?.retire() }
        reconciliation.outcomes[file] = others.filter { $0.files != outcome.files } + [outcome]
    }

    /// Creates a module's first generation and those of its providers, as opening a route does.
    func activate(_ name: String) throws { try activate(try record(name)) }

    func activate(_ record: ModuleRecord) throws {
        for provider in registry.snapshot.providers(for: record).values where provider.generation == nil {
            try activate(provider)
        }
        #expect(registry.activate(record, as: try generation(of: record, in: registry.snapshot)))
    }

    private func generation(of record: ModuleRecord, in snapshot: RegistrySnapshot) throws -> Generation {
        let wiring = Wiring(of: record, in: snapshot, isIsolated: false)
        return try ModuleRuntimeTests.generation(of: record, wiring: wiring)
    }

    func record(_ name: String) throws -> ModuleRecord {
        try #require(registry.snapshot.modules.first { $0.name == name })
    }

    /// The name and the state of each module, with a mark if a step is pending.
    var states: [String] {
        registry.snapshot.modules.map { record in
            let error = record.pending?.error.map { " \($0.code.name)" } ?? ""
            return "\(record.name) \(record.state.name)" + (record.pending.map { " \($0.kind)\(error)" } ?? "")
        }
    }

    static func file(_ name: String) -> String { "Manifests/\(name).json" }
}

extension ViperError {
    static let crash = ViperError(.moduleFailed, operation: "cannot create module", subject: "it", cause: "of the test")
    static let shortage = ViperError(
        .resourceMissing, operation: "cannot start", subject: "a worker", cause: "of the test")
}
