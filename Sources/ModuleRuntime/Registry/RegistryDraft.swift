/// A change of a registry that is not visible yet. It turns the current snapshot into the next one.
package struct RegistryDraft {
    let before: RegistrySnapshot
    /// The value of the registry's clock for this change.
    let clock: Int
    package private(set) var snapshot: RegistrySnapshot
    /// The manifest files of the changed records. Nil if any record may have changed.
    private(set) var changed: Set<String>? = []
    /// The histories that go on from others once the change is written.
    private(set) var merged: [(history: ModuleHistory, earlier: ModuleHistory)] = []

    init(of snapshot: RegistrySnapshot, _ clock: Int) {
        (before, self.snapshot, self.clock) = (snapshot, snapshot, clock)
    }

    /// Adds, changes and removes records, keyed by manifest file. A record that is nil is removed.
    ///
    /// If the routes, services and usability of all modules stay the same, the other modules are not examined.
    /// Otherwise, all modules are resolved again, based only on their manifests. A module that can no longer be resolved
    /// loses its generation.
    mutating func change(_ records: [String: ModuleRecord?]) {
        if records.isEmpty { return }
        if let next = snapshot.replacing(records) {
            snapshot = next
            changed?.formUnion(records.keys)
            return
        }
        var all = snapshot.modules.filter { records[$0.file] == nil }
        all += records.values.compactMap { $0 }
        snapshot = RegistrySnapshot(
            records: Self.resolved(all, snapshot.wiring), wiring: snapshot.wiring, after: snapshot)
        changed = nil
    }

    /// Changes one record.
    ///
    /// - Returns: False if no module has this manifest file, or if the closure returns false. Nothing changes then.
    mutating func update(_ file: String, _ body: (inout ModuleRecord) -> Bool) -> Bool {
        guard var record = snapshot.module(from: file), body(&record) else { return false }
        change([file: record])
        return true
    }

    private static func resolved(_ records: [ModuleRecord], _ wiring: ServiceWiring) -> [ModuleRecord] {
        var records = records
        for index in records.indices where records[index].state != .retired {
            records[index].state = records[index].fault.map(ModuleState.refused) ?? .discovered
        }
        records = Resolution(of: records, wiring: wiring).records
        for index in records.indices where records[index].generation != nil {
            if records[index].state == .resolved {
                records[index].state = .active
            } else {
                records[index].generation = nil
            }
        }
        return records
    }

    /// Merges each retired module into the usable module with the same name, if there is one, and combines their
    /// statistics. Two such modules exist after a manifest has moved to another file.
    mutating func mergeHistories() {
        if changed != nil { return }
        let retired = snapshot.modules.filter { $0.state == .retired }
        if retired.isEmpty { return }
        let usable = snapshot.modules.filter(\.state.isUsable)
        let histories = Dictionary(usable.map { ($0.name, $0.history) }) { first, _ in first }
        let moved = retired.filter { histories[$0.name] != nil }
        merged = moved.compactMap { old in histories[old.name].map { ($0, old.history) } }
        change(Dictionary(moved.map { ($0.file, nil) }) { first, _ in first })
    }
}
