package import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// Which modules there are, how far each has come, and which generation answers for it.
///
/// Readers take a ``snapshot``: a value that no later change touches. A change is made beside it and put in its place, so
/// that reading never waits for a load, and who opens a route sees its manifest and its generation together.
public final class Registry: Sendable {
    private struct State {
        var snapshot: RegistrySnapshot
        /// How many changes there were.
        var clock = 0
        /// Generations that answer no more, and that nobody has ended yet.
        var orphans: [Generation] = []
        var listeners: [Int: AsyncStream<RegistryChange>.Continuation] = [:]
    }

    private let state: Mutex<State>

    package init(wiring: ServiceWiring) {
        state = Mutex(State(snapshot: RegistrySnapshot(records: [], wiring: wiring)))
    }

    /// What is registered now.
    public var snapshot: RegistrySnapshot { state.withLock { $0.snapshot } }

    /// Takes modules in as `discovered`, in place of earlier ones from the same manifest files.
    package func register(_ entries: [CatalogEntry]) {
        change { records, _, clock in records = Self.records(records, with: entries, clock) }
    }

    /// Takes modules in, in place of earlier ones from the same manifest files, and resolves all, in one step. One that a generation
    /// answers for is left alone.
    ///
    /// - Parameter faults: Why some of them are of no use, by their manifest files.
    /// - Returns: The entries that were left alone.
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

    /// Puts a newer version of a module in the place of the one that is there, in one step with the generation that answers
    /// from then on.
    ///
    /// - Returns: Whether it does. Not when the one that is there has been changed or retired meanwhile, or what it requires has
    ///   gone.
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

    /// What would be registered with a newer version of a module, resolved. Nothing changes.
    func preview(_ entry: CatalogEntry) -> RegistrySnapshot {
        state.withLock { state in
            let records = Self.records(state.snapshot.modules, with: [entry], state.clock + 1)
            return RegistrySnapshot(
                records: Self.resolved(records, state.snapshot.wiring), wiring: state.snapshot.wiring)
        }
    }

    /// Finds out from the manifests alone which modules have all that they require, and which have it no more.
    package func resolve() {
        change { records, before, _ in records = Self.resolved(records, before.wiring) }
    }

    /// Lets a generation answer for a module, unless the module has been changed, refused or retired meanwhile, or others provide for
    /// it now.
    ///
    /// - Returns: Whether it does.
    @discardableResult
    func activate(_ record: ModuleRecord, as generation: Generation) -> Bool {
        change { records, before, _ in
            guard let index = records.firstIndex(where: { $0.file == record.file && $0.revision == record.revision }),
                records[index].state == .resolved || records[index].state == .active,
                generation.wiring == Wiring(of: record, in: before, isIsolated: generation.code.isIsolated)
            else { return false }
            if records[index].generation != nil { records[index].rewirings += 1 }
            (records[index].state, records[index].generation) = (.active, generation)
            return true
        }
    }

    /// Refuses a module, unless it has been changed, become active or been retired meanwhile.
    ///
    /// - Returns: Whether it did.
    @discardableResult
    func refuse(_ record: ModuleRecord, because error: ViperError) -> Bool { refuse([(record, error)]) == 1 }

    /// Refuses modules, for the reason of each, that have not been changed, become active or been retired meanwhile.
    ///
    /// - Returns: How many of them.
    @discardableResult
    package func refuse(_ reasons: [(record: ModuleRecord, error: ViperError)]) -> Int {
        let reasons = Dictionary(reasons.map { ($0.record.file, $0) }) { first, _ in first }
        if reasons.isEmpty { return 0 }
        return change { records, _, _ in
            var count = 0
            for index in records.indices {
                guard let (record, error) = reasons[records[index].file], record.revision == records[index].revision,
                    records[index].state == .discovered || records[index].state == .resolved
                else { continue }
                // That it lacks a provider is found out anew each time.
                records[index].state = .refused(error)
                records[index].fault = error.code == .requirementUnmet ? nil : error
                count += 1
            }
            return count
        }
    }

    /// Refuses the resolved modules that do not pass a check, with those that require them.
    package func refuse(unless check: (Manifest) throws(ViperError) -> Void) {
        var reasons: [(ModuleRecord, ViperError)] = []
        for record in snapshot.modules where record.state == .resolved {
            guard let manifest = record.manifest else { continue }
            do { try check(manifest) } catch {
                if error.isOfModule { reasons.append((record, error)) }
                if error.isUnfinished { note(record.file, \.fileRejection, error) }
            }
        }
        refuse(reasons)
        resolve()
    }

    /// Refuses a module whose code has turned out to do harm, unless other code answers for it meanwhile.
    package func condemn(_ file: String, _ digest: Digest, because error: ViperError) {
        _ = update(file) { record in
            guard record.state == .active, record.generation?.code.copy?.digest == digest else { return false }
            (record.state, record.fault, record.generation) = (.refused(error), error, nil)
            return true
        }
    }

    /// Puts refusals with more evidence in the place of others, by the modules' manifest files.
    package func explain(_ errors: [String: ViperError]) {
        if errors.isEmpty { return }
        change { records, _, _ in
            for index in records.indices where records[index].state.isRefused {
                guard let error = errors[records[index].file] else { continue }
                (records[index].state, records[index].fault) = (.refused(error), error)
            }
        }
    }

    /// Notes why what was to take a module's place was not taken; nil when there is nothing of that kind any more.
    package func note(_ file: String, _ kind: WritableKeyPath<ModuleRecord, ViperError?>, _ error: ViperError?) {
        _ = update(file) { record in
            record[keyPath: kind] = error
            return true
        }
    }

    func retire(_ file: String) {
        _ = update(file) { record in
            guard record.state.refusal == nil else { return false }
            (record.state, record.generation) = (.retired, nil)
            return true
        }
    }

    /// Retires all modules that are not refused, in one step.
    func retireAll() {
        change { records, _, _ in
            for index in records.indices where !records[index].state.isRefused {
                (records[index].state, records[index].generation) = (.retired, nil)
            }
        }
    }

    /// Takes modules out of service whose manifests are gone, whatever their state. Those that never did anything are forgotten.
    package func withdraw(_ files: Set<String>) {
        if files.isEmpty { return }
        change { records, before, _ in
            records.removeAll { files.contains($0.file) && $0.history.generations == 0 }
            for index in records.indices where files.contains(records[index].file) {
                (records[index].state, records[index].fault) = (.retired, nil)
                (records[index].fileRejection, records[index].wiringRejection) = (nil, nil)
                records[index].generation = nil
            }
            // Who waited for a name or a service has it at once.
            records = Self.resolved(records, before.wiring)
        }
    }

    /// Forgets a retired module, unless it is back.
    func remove(_ file: String) {
        change { records, _, _ in records.removeAll { $0.file == file && $0.state == .retired } }
    }

    /// The generations that answer no more, for whoever ends them. Each is handed out once.
    func takeOrphans() -> [Generation] {
        state.withLock { state in
            defer { state.orphans = [] }
            return state.orphans
        }
    }

    /// What changes from now on, one element for each module that a step has changed.
    ///
    /// - Parameter policy: Which of those are kept that nobody has taken yet.
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

    private func update(_ file: String, _ body: (inout ModuleRecord) -> Bool) -> Bool {
        change { records, _, _ in
            guard let index = records.firstIndex(where: { $0.file == file }) else { return false }
            return body(&records[index])
        }
    }

    @discardableResult
    private func change<Value>(
        _ body: (_ records: inout [ModuleRecord], _ before: RegistrySnapshot, _ clock: Int) -> Value
    ) -> Value {
        state.withLock { state in
            let before = state.snapshot
            var records = before.modules
            state.clock += 1
            let value = body(&records, before, state.clock)
            Self.unite(&records)
            state.snapshot = RegistrySnapshot(records: records, wiring: before.wiring, after: before)
            let alive = Set(records.compactMap(\.generation).map(ObjectIdentifier.init))
            state.orphans += before.modules.compactMap(\.generation).filter { !alive.contains(ObjectIdentifier($0)) }
            for change in RegistryChange.between(before, state.snapshot) {
                state.listeners.values.forEach { $0.yield(change) }
            }
            return value
        }
    }

    /// Makes one of a module whose manifest is another file now: what is left of the retired one is counted with it.
    private static func unite(_ records: inout [ModuleRecord]) {
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

    /// The records with the state that the manifests give to each. One that loses what it requires loses its generation.
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
