import ModuleCatalog
package import ViperKit

/// A generator for log lines about changed modules. The host's operator reads these lines, so internal steps such as
/// loading are omitted.
///
/// If a module is replaced several times between two calls to ``lines(for:)``, a single line reports the number of
/// replacements.
package struct RegistryLog {
    /// A module's state as it was last logged. It does not retain the module's generation.
    private struct Told {
        var label: String
        var version: String?
        var state: ModuleState
        var generation: Int?
        var revision: Int
        var replacements: Int
        var rewirings: Int
        var rejection: String?

        init(_ record: ModuleRecord) {
            (label, version) = (record.label, record.manifest?.version)
            (state, generation, revision) = (record.state, record.generation?.number, record.revision)
            (replacements, rewirings) = (record.replacements, record.rewirings)
            rejection = record.pending.flatMap { pending in
                pending.error.map {
                    "\(pending.kind.failure) module \(record.label): \($0.summary)"
                }
            }
        }

        var isUsable: Bool { state == .resolved || state == .active }
    }

    // The logged states, keyed by module name, then by manifest file.
    private var told: [String: [String: Told]]
    /// The times at which the logger first saw the modules with an incomplete library, keyed by manifest file.
    private var unfinished: [String: ContinuousClock.Instant] = [:]
    /// The manifest files of modules whose libraries are incomplete, but not for ``patience`` yet. A later call reports
    /// them if they are still incomplete.
    package private(set) var pending: Set<String> = []

    /// The time for which an incomplete library is not logged. Without a lease, each file counts as incomplete for two
    /// seconds, and the host waits for up to three more between two attempts.
    static let patience = Duration.seconds(5)

    /// Creates a generator that logs changes after a snapshot.
    ///
    /// - Parameter snapshot: The initial state. Only changes after this snapshot are logged.
    package init(since snapshot: RegistrySnapshot) {
        told = Self.modules(in: snapshot)
        for record in snapshot.modules where record.state.refusal?.isUnfinished == true {
            told[record.name]?[record.file] = nil
        }
    }

    private static func modules(in snapshot: RegistrySnapshot) -> [String: [String: Told]] {
        snapshot.modules.reduce(into: [:]) { $0[$1.name, default: [:]][$1.file] = Told($1) }
    }

    /// Returns a log line with its level for each change since the last call.
    package mutating func lines(
        for snapshot: RegistrySnapshot, at time: ContinuousClock.Instant = .now
    ) -> [(LogLevel, String)] {
        var before = told
        var now = Self.modules(in: snapshot)
        let earlier = unfinished
        (unfinished, pending) = ([:], [])
        for record in snapshot.modules where (record.state.refusal ?? record.rejection)?.isUnfinished == true {
            let since = earlier[record.file] ?? time
            unfinished[record.file] = since
            if time - since >= Self.patience { continue }
            pending.insert(record.file)
            now[record.name]?[record.file] = before[record.name]?[record.file]
        }
        told = now
        // While its manifest was unreadable, the module had the name of its file.
        for (name, modules) in before {
            before[name] = modules.filter { file, module in
                module.version != nil || (snapshot.module(from: file)?.name ?? name) == name
            }
        }
        return Set(now.keys).union(before.keys).sorted().flatMap { name in
            Self.lines(from: before[name] ?? [:], to: now[name] ?? [:])
        }
    }

    /// Returns the log lines for all modules with one name. A name has several manifest files if two manifests declare
    /// it, or if a manifest has moved.
    private static func lines(from before: [String: Told], to now: [String: Told]) -> [(LogLevel, String)] {
        var gone = before.filter { now[$0.key].map { $0.state == .retired } ?? true && $0.value.state != .retired }
        var lines: [(LogLevel, String)] = []
        for (file, module) in now.sorted(by: { $0.key < $1.key }) where module.state != .retired {
            var earlier = before[file].flatMap { $0.state == .retired ? nil : $0 }
            // The manifest has moved to another file.
            if earlier == nil, module.isUsable, let moved = gone.first(where: { $0.value.isUsable }) {
                (earlier, gone[moved.key]) = (moved.value, nil)
                // Counts the move as a replacement.
                earlier?.replacements = -1
            }
            if let error = module.state.refusal {
                if earlier?.state.refusal?.summary != error.summary {
                    lines.append((.warning, "\(module.label) is refused: \(error.summary)"))
                }
            } else {
                lines += use(of: module, after: earlier).map { (.info, $0) }
            }
            if let rejection = module.rejection, rejection != earlier?.rejection {
                lines.append((.warning, rejection))
            }
        }
        // The module may have another manifest that works.
        let isUsable = now.values.contains(where: \.isUsable)
        return gone.sorted { $0.key < $1.key }.map { file, module in
            (.info, isUsable ? "\(file) of \(module.label) was removed" : "\(module.label) was removed")
        } + lines
    }

    private static func use(of module: Told, after before: Told?) -> [String] {
        let number = module.generation.map { ": generation \($0)" } ?? ""
        guard let before else {
            // The module may have been replaced since it was added.
            return ["\(module.label) was added"] + replacement(of: module, module.replacements, number)
        }
        if before.state.refusal != nil { return ["\(module.label) can be used again"] }
        if module.revision != before.revision {
            // The counter restarts if the module was removed and added again.
            let count = module.replacements - before.replacements
            if module.version == before.version { return replacement(of: module, max(count, 1), number) }
            let steps = count > 1 ? " in \(count) steps" : ""
            return ["\(module.label) replaced \(before.version ?? "another version")\(steps)\(number)"]
        }
        // The first generation is created on demand and is not logged.
        if before.generation == nil || module.generation == nil || before.generation == module.generation { return [] }
        let count = times(module.rewirings - before.rewirings)
        return ["\(module.label) was restarted\(count) because its providers changed\(number)"]
    }

    private static func replacement(of module: Told, _ count: Int, _ number: String) -> [String] {
        count < 1 ? [] : ["\(module.label) was replaced\(times(count))\(number)"]
    }

    private static func times(_ count: Int) -> String { count > 1 ? " \(count) times" : "" }
}

extension PendingStep.Kind {
    /// The verb for a failure of the step.
    fileprivate var failure: String {
        switch self {
        case .trial: "cannot try"
        case .version, .providers: "keeps"
        case .run: "cannot run"
        }
    }
}
