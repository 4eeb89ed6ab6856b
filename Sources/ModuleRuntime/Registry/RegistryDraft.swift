import ModuleCatalog

/// A working copy of a registry's records, in which several records can be changed in one step.
struct RegistryDraft {
    var records: [ModuleRecord]
    /// True if the states of the records are the result of resolving them.
    private(set) var isResolved = false
    private let wiring: ServiceWiring
    /// The value of the registry's clock for this change.
    private let clock: Int

    /// Creates a draft that contains the records of a snapshot.
    init(of snapshot: RegistrySnapshot, _ clock: Int) {
        (records, wiring, self.clock) = (Array(snapshot.modules), snapshot.wiring, clock)
    }

    /// Adds modules. An entry replaces an earlier module from the same manifest file.
    mutating func add(_ entries: [CatalogEntry]) {
        let files = Set(entries.map(\.file))
        let earlier = Dictionary(records.filter { files.contains($0.file) }.map { ($0.file, $0) }) { first, _ in first }
        records.removeAll { files.contains($0.file) }
        records += entries.map { ModuleRecord($0, inPlaceOf: earlier[$0.file], clock) }
        isResolved = false
    }

    /// Recomputes the states from the manifests. A module that can no longer be resolved loses its generation.
    mutating func resolve() {
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
        isResolved = true
    }

    /// Merges each retired module into the usable module with the same name, if there is one, and combines their
    /// statistics. Two such modules exist after a manifest has moved to another file.
    mutating func mergeHistories() {
        let retired = records.filter { $0.state == .retired }
        if retired.isEmpty { return }
        let usable = records.filter { $0.state != .retired && !$0.state.isRefused }
        let histories = Dictionary(usable.map { ($0.name, $0.history) }) { first, _ in first }
        let moved = Set(retired.filter { histories[$0.name] != nil }.map(\.file))
        if moved.isEmpty { return }
        for old in retired { histories[old.name]?.goOn(from: old.history) }
        records.removeAll { moved.contains($0.file) }
    }
}
