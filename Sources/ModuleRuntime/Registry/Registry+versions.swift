package import ModuleCatalog
import Synchronization
package import ViperKit

extension Registry {
    /// Adds modules in the `discovered` state. An entry replaces an earlier module from the same manifest file.
    package func register(_ entries: [CatalogEntry]) {
        change { draft in draft.add(entries) }
    }

    /// Adds modules and resolves all modules in a single step. An entry replaces an earlier module from the same
    /// manifest file, unless that module has a generation.
    ///
    /// - Parameter faults: The errors that make modules unusable, keyed by manifest file.
    /// - Returns: The entries that were skipped because their modules have generations.
    @discardableResult
    package func take(_ entries: [CatalogEntry], faults: [String: ViperError] = [:]) -> [CatalogEntry] {
        if entries.isEmpty { return [] }
        if entries.count == 1, faults.isEmpty, replaceAlike(entries[0], if: { $0.generation == nil }) { return [] }
        return change { draft in
            let active = Set(draft.records.filter { $0.generation != nil }.map(\.file))
            let taken = entries.filter { !active.contains($0.file) }
            draft.add(taken)
            let files = Set(faults.isEmpty ? [] : taken.map(\.file))
            for index in draft.records.indices where files.contains(draft.records[index].file) {
                if draft.records[index].fault != nil { continue }
                draft.records[index].fault = faults[draft.records[index].file]
            }
            draft.resolve()
            return entries.filter { active.contains($0.file) }
        } ?? []
    }

    /// Adds newer versions of modules that have no generation, in a single step. Modules may therefore exchange their
    /// names or services.
    ///
    /// - Returns: The entries that were skipped, because their modules have generations or are retired, or because they
    ///   would be refused. All entries if another module would lose its generation, or if no usable set is found soon.
    func takeUsable(_ entries: [CatalogEntry]) -> [CatalogEntry] {
        if entries.isEmpty { return [] }
        if entries.count == 1, replaceAlike(entries[0], if: { $0.generation == nil }) { return [] }
        return change { draft in
            let idle = draft.records.filter { $0.generation == nil && $0.state != .retired }
            let idleFiles = Set(idle.map(\.file))
            let activeCount = draft.records.count { $0.generation != nil }
            var taken = entries.filter { idleFiles.contains($0.file) }
            // A version that cannot be used may make others unusable. Each attempt resolves all modules.
            for _ in 0..<Self.attempts where !taken.isEmpty {
                var attempt = draft
                attempt.add(taken)
                attempt.resolve()
                if attempt.records.count(where: { $0.generation != nil }) < activeCount { return nil }
                let refused = Set(attempt.records.filter(\.state.isRefused).map(\.file))
                let usable = taken.filter { !refused.contains($0.file) }
                if usable.count == taken.count {
                    draft = attempt
                    let files = Set(taken.map(\.file))
                    return entries.filter { !files.contains($0.file) }
                }
                taken = usable
            }
            return nil
        } ?? entries
    }

    /// The maximum number of attempts to find the versions that can be used together.
    private static let attempts = 3

    /// Replaces a module with a newer version and sets that version's generation, in a single step.
    ///
    /// - Returns: True if the module was replaced. False if the module was changed or retired after `old` was read, or
    ///   if the newer version cannot be resolved.
    func replace(_ old: ModuleRecord, by entry: CatalogEntry, as generation: Generation) -> Bool {
        if replaceAlike(entry, as: generation, if: { $0.revision == old.revision }) { return true }
        return change { draft in
            let current = draft.records.first { $0.file == old.file && $0.revision == old.revision }
            guard let current, current.state != .retired else { return nil }
            draft.add([entry])
            if let index = draft.records.firstIndex(where: { $0.file == entry.file }) {
                draft.records[index].generation = generation
            }
            draft.resolve()
            return draft.records.contains { $0.generation === generation } ? true : nil
        } ?? false
    }

    /// Replaces a usable module with a newer version that has the same declarations. The other modules are not resolved
    /// again, because nothing changes for them.
    ///
    /// - Parameters:
    ///   - generation: The newer version's generation, or nil if it has none.
    ///   - isExpected: A closure that returns true if the current record may be replaced.
    private func replaceAlike(
        _ entry: CatalogEntry, as generation: Generation? = nil, if isExpected: (ModuleRecord) -> Bool
    ) -> Bool {
        update(entry.file) { record, state in
            guard state.isResolved, record.state.isUsable, isExpected(record),
                var newer = record.alike(entry, state.clock)
            else { return false }
            if let generation { (newer.state, newer.generation) = (.active, generation) }
            record = newer
            return true
        }
    }

    /// Returns the snapshot that would result from registering a newer version of a module. Does not change the
    /// registry.
    func preview(_ entry: CatalogEntry) -> RegistrySnapshot {
        state.withLock { state in
            let (before, clock) = (state.snapshot, state.clock + 1)
            if state.isResolved, let index = before.places[entry.file], before.modules[index].state.isUsable,
                let newer = before.modules[index].alike(entry, clock),
                let snapshot = RegistrySnapshot(before, replacing: index, by: newer)
            {
                return snapshot
            }
            var draft = RegistryDraft(of: before, clock)
            draft.add([entry])
            draft.resolve()
            return RegistrySnapshot(records: draft.records, wiring: before.wiring)
        }
    }
}
