import HostSystem
import ModuleCatalog
package import ViperKit

/// What people who run a host are told of its modules. Steps on the way, such as that one is loaded, are none of their concern.
///
/// Files that were put in a module's place and not taken are told by whoever has looked at them. If a module is replaced several times
/// between two calls of ``lines(for:)``, one line says how often.
package struct RegistryLog {
    /// A module as it was last told. It holds nothing of the module's.
    private struct Told {
        var label: String
        var version: String?
        var state: ModuleState
        var generation: Int?
        var revision: Int
        var replacements: Int
        var rewirings: Int
        /// Why it still has services of others than those that provide them now.
        var rejection: String?

        init(_ record: ModuleRecord) {
            version = record.manifest?.version
            label = version.map { "\(record.name) \($0)" } ?? record.name
            (state, generation, revision) = (record.state, record.generation?.number, record.revision)
            (replacements, rewirings) = (record.replacements, record.rewirings)
            rejection = record.wiringRejection?.summary
        }

        var isUsable: Bool { state == .resolved || state == .active }
    }

    // By module names, each by its manifest's file.
    private var told: [String: [String: Told]]
    /// The files of new libraries that were being written at the last call of ``lines(for:)``. Those that still are at the next call
    /// are told then: most are complete in a moment.
    package private(set) var pending: Set<String> = []

    /// - Parameter snapshot: What is known already.
    package init(since snapshot: RegistrySnapshot) { told = Self.modules(in: snapshot) }

    private static func modules(in snapshot: RegistrySnapshot) -> [String: [String: Told]] {
        snapshot.modules.reduce(into: [:]) { $0[$1.name, default: [:]][$1.file] = Told($1) }
    }

    /// The lines for what is other now than when it was last told, each with how much it matters.
    package mutating func lines(for snapshot: RegistrySnapshot) -> [(LogLevel, String)] {
        let before = told
        var now = Self.modules(in: snapshot)
        let unfinished = snapshot.modules.filter { record in
            record.state.refusal?.isUnfinished == true && before[record.name]?[record.file] == nil
                && !pending.contains(record.file)
        }
        for record in unfinished { now[record.name]?[record.file] = nil }
        pending = Set(unfinished.map(\.file))
        told = now
        return Set(now.keys).union(before.keys).sorted().flatMap { name in
            Self.lines(from: before[name] ?? [:], to: now[name] ?? [:])
        }
    }

    /// The lines for the modules of one name. There are several while a manifest's file has two, or is moved.
    private static func lines(from before: [String: Told], to now: [String: Told]) -> [(LogLevel, String)] {
        var gone = before.filter { now[$0.key].map { $0.state == .retired } ?? true && $0.value.state != .retired }
        var lines: [(LogLevel, String)] = []
        for (file, module) in now.sorted(by: { $0.key < $1.key }) where module.state != .retired {
            var earlier = before[file].flatMap { $0.state == .retired ? nil : $0 }
            // Its manifest is another file now.
            if earlier == nil, module.isUsable, let moved = gone.first(where: { $0.value.isUsable }) {
                (earlier, gone[moved.key]) = (moved.value, nil)
                // The move is a replacement, too.
                earlier?.replacements = -1
            }
            if let error = module.state.refusal {
                if earlier?.state.refusal?.summary == error.summary { continue }
                lines.append((.warning, "\(module.label) is refused: \(error.summary)"))
            } else {
                lines += use(of: module, after: earlier).map { (.info, $0) }
            }
            if let rejection = module.rejection, rejection != earlier?.rejection {
                lines.append((.warning, "\(module.label) stays as it was: \(rejection)"))
            }
        }
        return gone.values.sorted { $0.label < $1.label }.map { (.info, "\($0.label) has gone") } + lines
    }

    private static func use(of module: Told, after before: Told?) -> [String] {
        let number = module.generation.map { ": generation \($0)" } ?? ""
        guard let before else {
            // It may have been replaced since then.
            return ["\(module.label) has come"] + replacement(of: module, module.replacements, number)
        }
        if before.state.refusal != nil { return ["\(module.label) can be used again"] }
        if module.revision != before.revision {
            // One that went and came again counts from its coming.
            let count = module.replacements - before.replacements
            if module.version == before.version { return replacement(of: module, max(count, 1), number) }
            let steps = count > 1 ? " in \(count) steps" : ""
            return ["\(module.label) has taken the place of \(before.version ?? "another")\(steps)\(number)"]
        }
        // The first one is made when it is first needed.
        if before.generation == nil || module.generation == nil || before.generation == module.generation { return [] }
        return ["\(module.label) was made anew\(times(module.rewirings - before.rewirings)) for what it uses\(number)"]
    }

    private static func replacement(of module: Told, _ count: Int, _ number: String) -> [String] {
        count < 1 ? [] : ["\(module.label) was replaced\(times(count))\(number)"]
    }

    private static func times(_ count: Int) -> String { count > 1 ? " \(count) times" : "" }
}
