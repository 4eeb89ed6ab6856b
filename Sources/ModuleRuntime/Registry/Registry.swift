package import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// A registry of modules with their states and current generations.
///
/// Readers use a ``snapshot``, which is immutable. Each change creates a new snapshot that replaces the current one.
/// Readers therefore never wait for a module to load, and always see a manifest together with its own generation.
public final class Registry: Sendable {
    private struct State {
        var snapshot: RegistrySnapshot
        /// A counter that increases with each change and each new listener.
        var clock = 0
        /// Replaced and retired generations that have not been stopped yet.
        var orphans: [Generation] = []
        var listeners: [Int: AsyncStream<RegistryChange>.Continuation] = [:]
    }

    private let state: Mutex<State>

    package init(wiring: ServiceWiring) {
        state = Mutex(State(snapshot: RegistrySnapshot(records: [], wiring: wiring)))
    }

    public var snapshot: RegistrySnapshot { state.withLock { $0.snapshot } }

    /// Adds modules in the `discovered` state. An entry replaces an earlier module from the same manifest file.
    package func register(_ entries: [CatalogEntry]) {
        change { records, _, clock in records = Self.records(records, with: entries, clock) }
    }

    /// Adds modules and resolves all modules in a single step. An entry replaces an earlier module from the same
    /// manifest file, unless that module has a generation.
    ///
    /// - Parameter faults: The errors that make modules unusable, keyed by manifest file.
    /// - Returns: The entries that were skipped because their modules have generations.
    @discardableResult
    package func take(_ entries: [CatalogEntry], faults: [String: ViperError] = [:]) -> [CatalogEntry] {
        change { records, before, clock in
            let active = Set(records.filter { $0.generation != nil }.map(\.file))
            let taken = entries.filter { !active.contains($0.file) }
            records = Self.records(records, with: taken, clock)
            let files = Set(taken.map(\.file))
            for index in records.indices where files.contains(records[index].file) && records[index].fault == nil {
                records[index].fault = faults[records[index].file]
            }
            records = Self.resolved(records, before.wiring)
            return entries.filter { active.contains($0.file) }
        }
    }

    /// Replaces a module's record with a record for a newer version and that version's generation, in a single step.
    ///
    /// - Returns: True if the module was replaced. False if the module was changed or retired after `old` was read, or
    ///   if the newer version cannot be resolved.
    func replace(_ old: ModuleRecord, by entry: CatalogEntry, as generation: Generation) -> Bool {
        change { records, before, clock in
            let current = records.first { $0.file == old.file && $0.revision == old.revision }
            guard let current, current.state != .retired else { return false }
            var newer = Self.records(records, with: [entry], clock)
            if let index = newer.firstIndex(where: { $0.file == entry.file }) { newer[index].generation = generation }
            newer = Self.resolved(newer, before.wiring)
            guard newer.contains(where: { $0.generation === generation }) else { return false }
            records = newer
            return true
        }
    }

    /// Returns the snapshot that would result from registering a newer version of a module. Does not change the
    /// registry.
    func preview(_ entry: CatalogEntry) -> RegistrySnapshot {
        state.withLock { state in
            let records = Self.records(Array(state.snapshot.modules), with: [entry], state.clock + 1)
            return RegistrySnapshot(
                records: Self.resolved(records, state.snapshot.wiring), wiring: state.snapshot.wiring)
        }
    }

    /// Updates the states of all modules based only on their manifests.
    package func resolve() {
        change { records, before, _ in records = Self.resolved(records, before.wiring) }
    }

    /// Sets a module's current generation.
    ///
    /// Does nothing if the module was changed, refused or retired after `record` was read, or if its providers have
    /// changed.
    ///
    /// - Returns: True if the generation is now current.
    @discardableResult
    func activate(_ record: ModuleRecord, as generation: Generation) -> Bool {
        update(record.file) { current, before in
            guard current.revision == record.revision, current.state.isUsable,
                generation.wiring == Wiring(of: record, in: before, isIsolated: generation.code.isIsolated)
            else { return false }
            if current.generation != nil { current.rewirings += 1 }
            (current.state, current.generation) = (.active, generation)
            return true
        }
    }

    /// Refuses a module, unless it was changed, activated or retired after `record` was read.
    ///
    /// - Returns: True if the module was refused.
    @discardableResult
    func refuse(_ record: ModuleRecord, because error: ViperError) -> Bool { refuse([(record, error)]) == 1 }

    /// Marks the given modules as refused. Skips modules that were changed, activated or retired after their records
    /// were read.
    ///
    /// - Returns: The number of modules that were marked as refused.
    @discardableResult
    func refuse(_ reasons: [(record: ModuleRecord, error: ViperError)]) -> Int {
        let reasons = Dictionary(reasons.map { ($0.record.file, $0) }) { first, _ in first }
        if reasons.isEmpty { return 0 }
        return change { records, _, _ in
            var count = 0
            for index in records.indices {
                guard let (record, error) = reasons[records[index].file], record.revision == records[index].revision,
                    records[index].state == .discovered || records[index].state == .resolved
                else { continue }
                // A missing provider is not stored as a fault, because each resolution checks for it again.
                records[index].state = .refused(error)
                records[index].fault = error.code == .requirementUnmet ? nil : error
                count += 1
            }
            return count
        }
    }

    /// Refuses the resolved modules that fail a check, and the modules that require them.
    ///
    /// - Parameter check: A check of a manifest from a file.
    package func refuse(unless check: (Manifest, _ file: String) throws(ViperError) -> Void) {
        var reasons: [(ModuleRecord, ViperError)] = []
        for record in snapshot.modules where record.state == .resolved {
            guard let manifest = record.manifest else { continue }
            do { try check(manifest, record.file) } catch {
                if error.isModuleFault { reasons.append((record, error)) }
                if error.isUnfinished { note(record.file, \.fileRejection, error) }
            }
        }
        // Resolving is not necessary if nothing has changed.
        if refuse(reasons) > 0 { resolve() }
    }

    /// Refuses an active module because its library was quarantined. Does nothing if the current generation uses a
    /// library with another digest.
    package func refuseAfterCrash(_ file: String, _ digest: Digest, because error: ViperError) {
        _ = update(file) { record, _ in
            guard record.state == .active, record.generation?.code.copy?.digest == digest else { return false }
            (record.state, record.fault, record.generation) = (.refused(error), error, nil)
            return true
        }
    }

    /// Replaces the errors of refused modules with more detailed errors.
    ///
    /// - Parameter errors: The new errors, keyed by manifest file.
    package func explain(_ errors: [String: ViperError]) {
        if errors.isEmpty { return }
        change { records, _, _ in
            for index in records.indices where records[index].state.isRefused {
                guard let error = errors[records[index].file] else { continue }
                (records[index].state, records[index].fault) = (.refused(error), error)
            }
        }
    }

    /// Stores the error that caused a newer version or new providers to be rejected. Pass nil to clear a stored error.
    package func note(_ file: String, _ kind: WritableKeyPath<ModuleRecord, ViperError?>, _ error: ViperError?) {
        _ = update(file) { record, _ in
            record[keyPath: kind] = error
            return true
        }
    }

    func retire(_ file: String) {
        _ = update(file) { record, _ in
            guard record.state.refusal == nil else { return false }
            (record.state, record.generation) = (.retired, nil)
            return true
        }
    }

    /// Retires all modules in a single step, except for refused modules.
    func retireAll() {
        change { records, _, _ in
            for index in records.indices where !records[index].state.isRefused {
                (records[index].state, records[index].generation) = (.retired, nil)
            }
        }
    }

    /// Retires the modules whose manifest files were removed, even if they are refused. A module that never had a
    /// generation is removed from the registry instead.
    package func withdraw(_ files: Set<String>) {
        if files.isEmpty { return }
        change { records, before, _ in
            records.removeAll { files.contains($0.file) && $0.history.generations == 0 }
            for index in records.indices where files.contains(records[index].file) {
                (records[index].state, records[index].fault) = (.retired, nil)
                (records[index].fileRejection, records[index].wiringRejection) = (nil, nil)
                records[index].generation = nil
            }
            // Other modules may now use the names and services that the removed modules claimed.
            records = Self.resolved(records, before.wiring)
        }
    }

    /// Removes a module if it is still retired.
    func remove(_ file: String) {
        change { records, _, _ in records.removeAll { $0.file == file && $0.state == .retired } }
    }

    /// Returns the replaced and retired generations that must be stopped. Each generation is returned only once.
    func takeOrphans() -> [Generation] {
        state.withLock { state in
            defer { state.orphans = [] }
            return state.orphans
        }
    }

    /// Returns a stream of changes. Each update of the registry yields one element for each changed module.
    ///
    /// - Parameter policy: The stream's buffering policy.
    package func changes(
        keeping policy: AsyncStream<RegistryChange>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<RegistryChange> {
        AsyncStream(bufferingPolicy: policy) { continuation in
            let number = state.withLock { state in
                state.clock += 1
                state.listeners[state.clock] = continuation
                return state.clock
            }
            continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.listeners[number] = nil } }
        }
    }

    /// Changes one module. Without a change of routes or services, this takes much less time than changing several
    /// modules, because no other module is examined.
    private func update(
        _ file: String, _ body: (inout ModuleRecord, _ before: RegistrySnapshot) -> Bool
    ) -> Bool {
        state.withLock { state in
            let before = state.snapshot
            guard let index = before.places[file] else { return false }
            var record = before.modules[index]
            guard body(&record, before) else { return false }
            state.clock += 1
            guard let snapshot = RegistrySnapshot(before, replacing: index, by: record) else {
                var records = Array(before.modules)
                records[index] = record
                Self.commit(records, to: &state)
                return true
            }
            state.snapshot = snapshot
            if let old = before.modules[index].generation, old !== record.generation { state.orphans.append(old) }
            Self.report(RegistryChange.between(before.modules[index], record).map { [$0] } ?? [], to: state)
            return true
        }
    }

    @discardableResult
    private func change<Value>(
        _ body: (_ records: inout [ModuleRecord], _ before: RegistrySnapshot, _ clock: Int) -> Value
    ) -> Value {
        state.withLock { state in
            var records = Array(state.snapshot.modules)
            state.clock += 1
            let value = body(&records, state.snapshot, state.clock)
            Self.commit(records, to: &state)
            return value
        }
    }

    private static func commit(_ records: [ModuleRecord], to state: inout State) {
        let before = state.snapshot
        var records = records
        mergeHistories(&records)
        state.snapshot = RegistrySnapshot(records: records, wiring: before.wiring, after: before)
        let alive = Set(records.compactMap(\.generation).map(ObjectIdentifier.init))
        state.orphans += before.modules.compactMap(\.generation).filter { !alive.contains(ObjectIdentifier($0)) }
        if !state.listeners.isEmpty { report(RegistryChange.between(before, state.snapshot), to: state) }
    }

    private static func report(_ changes: [RegistryChange], to state: State) {
        for change in changes { state.listeners.values.forEach { $0.yield(change) } }
    }

    /// Merges each retired module into the usable module with the same name, if there is one, and combines their
    /// statistics. Two such modules exist after a manifest has moved to another file.
    private static func mergeHistories(_ records: inout [ModuleRecord]) {
        let retired = records.filter { $0.state == .retired }
        if retired.isEmpty { return }
        let usable = records.filter { $0.state != .retired && !$0.state.isRefused }
        let histories = Dictionary(usable.map { ($0.name, $0.history) }) { first, _ in first }
        let moved = Set(retired.filter { histories[$0.name] != nil }.map(\.file))
        if moved.isEmpty { return }
        for old in retired { histories[old.name]?.goOn(from: old.history) }
        records.removeAll { moved.contains($0.file) }
    }

    private static func records(
        _ records: [ModuleRecord], with entries: [CatalogEntry], _ clock: Int
    ) -> [ModuleRecord] {
        let files = Set(entries.map(\.file))
        let earlier = Dictionary(records.map { ($0.file, $0) }) { first, _ in first }
        return records.filter { !files.contains($0.file) }
            + entries.map { entry in
                var record = ModuleRecord(entry, inPlaceOf: earlier[entry.file])
                if record.arrival == 0 { record.arrival = clock }
                record.revision = clock
                return record
            }
    }

    /// Returns the records with states that are recomputed from the manifests. A module that can no longer be resolved
    /// loses its generation.
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
}
