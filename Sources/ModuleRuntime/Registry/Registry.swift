package import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// A registry of modules with their states and current generations.
///
/// Readers use a ``snapshot``, which is immutable. Each change creates a new snapshot that replaces the current one.
/// Readers therefore never wait for a module to load, and always see a manifest together with its own generation.
public final class Registry: Sendable {
    struct State {
        var snapshot: RegistrySnapshot
        /// True if the states in the snapshot are the result of resolving its modules.
        var isResolved = true
        /// A counter that increases with each change and each new listener.
        var clock = 0
        /// Replaced and retired generations that have not been stopped yet.
        var orphans: [Generation] = []
        var listeners: [Int: AsyncStream<RegistryChange>.Continuation] = [:]
    }

    let state: Mutex<State>

    package init(wiring: ServiceWiring) {
        state = Mutex(State(snapshot: RegistrySnapshot(records: [], wiring: wiring)))
    }

    public var snapshot: RegistrySnapshot { state.withLock { $0.snapshot } }

    /// Updates the states of all modules based only on their manifests. Does nothing if the states are up to date.
    package func resolve() {
        if state.withLock({ $0.isResolved }) { return }
        change { draft in draft.resolve() }
    }

    /// Sets a module's current generation.
    ///
    /// Does nothing if the module was changed, refused or retired after `record` was read, or if its providers have
    /// changed.
    ///
    /// - Returns: True if the generation is now current.
    @discardableResult
    func activate(_ record: ModuleRecord, as generation: Generation) -> Bool {
        update(record.file) { current, state in
            guard current.revision == record.revision, current.state.isUsable,
                generation.wiring == Wiring(of: record, in: state.snapshot, isIsolated: generation.code.isIsolated)
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
        return change { draft in
            var count = 0
            for index in draft.records.indices {
                guard let (record, error) = reasons[draft.records[index].file],
                    record.revision == draft.records[index].revision,
                    draft.records[index].state == .discovered || draft.records[index].state == .resolved
                else { continue }
                // A missing provider is not stored as a fault, because each resolution checks for it again.
                draft.records[index].state = .refused(error)
                draft.records[index].fault = error.code == .requirementUnmet ? nil : error
                count += 1
            }
            return count
        } ?? 0
    }

    /// Refuses the resolved modules that fail a check, and the modules that require them.
    ///
    /// - Parameter check: A closure that checks the manifest from a file, and throws an error if the check fails.
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
        change { draft in
            for index in draft.records.indices where draft.records[index].state.isRefused {
                guard let error = errors[draft.records[index].file] else { continue }
                (draft.records[index].state, draft.records[index].fault) = (.refused(error), error)
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
        change { draft in
            for index in draft.records.indices where !draft.records[index].state.isRefused {
                (draft.records[index].state, draft.records[index].generation) = (.retired, nil)
            }
        }
    }

    /// Retires the modules whose manifest files were removed, even if they are refused. A module that never had a
    /// generation is removed from the registry instead.
    package func withdraw(_ files: Set<String>) {
        if files.isEmpty { return }
        change { draft in
            draft.records.removeAll { files.contains($0.file) && $0.history.generations == 0 }
            for index in draft.records.indices where files.contains(draft.records[index].file) {
                (draft.records[index].state, draft.records[index].fault) = (.retired, nil)
                (draft.records[index].fileRejection, draft.records[index].wiringRejection) = (nil, nil)
                draft.records[index].generation = nil
            }
            // Other modules may now use the names and services that the removed modules claimed.
            draft.resolve()
        }
    }

    /// Removes a module if it is still retired.
    func remove(_ file: String) {
        change { draft in draft.records.removeAll { $0.file == file && $0.state == .retired } }
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

    /// Changes a single module. If its routes and services stay the same, this is much faster than `change(_:)`,
    /// because no other module is examined.
    func update(
        _ file: String, _ body: (inout ModuleRecord, _ before: State) -> Bool
    ) -> Bool {
        state.withLock { state in
            let before = state.snapshot
            guard let index = before.places[file] else { return false }
            var record = before.modules[index]
            state.clock += 1
            guard body(&record, state) else { return false }
            guard let snapshot = RegistrySnapshot(before, replacing: index, by: record) else {
                var draft = RegistryDraft(of: before, state.clock)
                draft.records[index] = record
                Self.commit(draft, to: &state)
                return true
            }
            state.snapshot = snapshot
            if let old = before.modules[index].generation, old !== record.generation { state.orphans.append(old) }
            Self.report(RegistryChange.between(before.modules[index], record).map { [$0] } ?? [], to: state)
            return true
        }
    }

    /// Changes several modules. If the closure returns nil, nothing changes.
    @discardableResult
    func change<Value>(_ body: (inout RegistryDraft) -> Value?) -> Value? {
        state.withLock { state in
            state.clock += 1
            var draft = RegistryDraft(of: state.snapshot, state.clock)
            guard let value = body(&draft) else { return nil }
            Self.commit(draft, to: &state)
            return value
        }
    }

    private static func commit(_ draft: RegistryDraft, to state: inout State) {
        let before = state.snapshot
        var draft = draft
        draft.mergeHistories()
        state.snapshot = RegistrySnapshot(records: draft.records, wiring: before.wiring, after: before)
        state.isResolved = draft.isResolved
        let alive = Set(draft.records.compactMap(\.generation).map(ObjectIdentifier.init))
        state.orphans += before.modules.compactMap(\.generation).filter { !alive.contains(ObjectIdentifier($0)) }
        if !state.listeners.isEmpty { report(RegistryChange.between(before, state.snapshot), to: state) }
    }

    private static func report(_ changes: [RegistryChange], to state: State) {
        for change in changes { state.listeners.values.forEach { $0.yield(change) } }
    }
}
