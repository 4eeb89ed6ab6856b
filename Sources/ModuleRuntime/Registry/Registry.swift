package import HostSystem
package import ModuleCatalog
import Synchronization
package import ViperKit

/// A registry of modules with their states and current generations.
///
/// Readers use a ``snapshot``, which is immutable. Each change creates a new snapshot that replaces the current one.
/// Readers therefore never wait for a module to load, and always see a manifest together with its own generation.
package final class Registry: Sendable {
    private struct State {
        var snapshot: RegistrySnapshot
        /// A counter that increases with each change and each new listener.
        var clock = 0
        var listeners: [Int: AsyncStream<RegistryChange>.Continuation] = [:]
    }

    private let state: Mutex<State>
    private let disabledEntries = Mutex<[CatalogEntry]>([])

    package init(wiring: ServiceWiring) {
        state = Mutex(State(snapshot: RegistrySnapshot(records: [], wiring: wiring)))
    }

    package var snapshot: RegistrySnapshot { state.withLock { $0.snapshot } }

    /// The modules that the settings disable. No snapshot has them.
    package var disabled: [CatalogEntry] {
        get { disabledEntries.withLock { $0 } }
        set { disabledEntries.withLock { $0 = newValue } }
    }

    /// Returns the name of a module that the settings disable. Nil if none of them is meant.
    package func disabledModule(where isMeant: (Manifest) -> Bool) -> String? {
        disabled.lazy.compactMap { try? $0.manifest.get() }.first(where: isMeant)?.name
    }

    /// Changes the registry in one step. This is the only way to change it. Generations that are no longer current are
    /// retired.
    ///
    /// - Parameter body: A closure that changes a draft, and does nothing else. It is called again if another change was
    ///   written at the same time.
    package func write<Value>(_ body: (inout RegistryDraft) -> Value) -> Value {
        while true {
            let (before, clock, hasListeners) = state.withLock { state in
                state.clock += 1
                return (state.snapshot, state.clock, !state.listeners.isEmpty)
            }
            var draft = RegistryDraft(of: before, clock)
            let value = body(&draft)
            draft.mergeHistories()
            let after = draft.snapshot
            if before === after { return value }
            let files = draft.changed ?? Set(before.places.keys).union(after.places.keys)
            // Sorted, so that listeners receive the changes of one write in a fixed order.
            let changes: [(change: RegistryChange, generation: Generation?)] =
                !hasListeners
                ? []
                : files.sorted().compactMap { file in
                    let record = after.module(from: file)
                    return RegistryChange(from: before.module(from: file), to: record).map { ($0, record?.generation) }
                }
            let isWritten = state.withLock { state in
                guard state.snapshot === before, hasListeners || state.listeners.isEmpty else { return false }
                state.snapshot = after
                // Lock order: the registry's lock, then that of a history. A history's lock is never held for a call.
                for (history, earlier) in draft.merged { history.goOn(from: earlier) }
                for (change, _) in changes { state.listeners.values.forEach { $0.yield(change) } }
                return true
            }
            if !isWritten { continue }
            for (change, generation) in changes {
                if let generation { tellRun(of: generation, after: change) }
            }
            for file in files {
                guard let old = before.module(from: file)?.generation,
                    after.module(from: file)?.generation !== old
                else { continue }
                old.retire()
            }
            return value
        }
    }

    /// Registers modules and resolves them.
    package func register(_ files: [ModuleFiles]) {
        write { draft in
            let records = files.map { files in
                let (file, clock) = (files.entry.file, draft.clock)
                let earlier = draft.snapshot.module(from: file)
                return (file, earlier?.alike(files, clock) ?? ModuleRecord(files, inPlaceOf: earlier, clock))
            }
            draft.change(Dictionary(records) { first, _ in first })
        }
    }

    /// Sets a module's current generation.
    ///
    /// Does nothing if the module was changed, refused or retired after `record` was read, or if its providers have
    /// changed.
    ///
    /// - Returns: True if the generation is now current.
    func activate(_ record: ModuleRecord, as generation: Generation) -> Bool {
        write { draft in
            let isCurrent = generation.wiring.isCurrent(for: record, in: draft.snapshot)
            return draft.update(record.file) { current in
                guard current.revision == record.revision, current.state.isUsable, isCurrent else { return false }
                (current.state, current.generation) = (.active, generation)
                return true
            }
        }
    }

    /// Refuses a module because of its own fault, unless it was changed, activated or retired after `record` was read.
    ///
    /// - Returns: True if the module was refused.
    @discardableResult
    func refuse(_ record: ModuleRecord, because error: ViperError) -> Bool {
        write { draft in
            draft.update(record.file) { current in
                guard record.revision == current.revision, current.state == .resolved else { return false }
                (current.state, current.pending) = (.refused(error), nil)
                return true
            }
        }
    }

    /// Refuses the resolved modules that fail a check, and the modules that require them. A module whose library is
    /// being written stays usable, and its library must be tried again.
    ///
    /// - Parameter check: A closure that checks the manifest from a file, and throws an error if the check fails.
    package func refuse(unless check: (Manifest, _ file: String) throws(ViperError) -> Void) {
        var failed: [(record: ModuleRecord, error: ViperError)] = []
        for record in snapshot.modules where record.state == .resolved {
            guard let manifest = record.manifest else { continue }
            do { try check(manifest, record.file) } catch { failed.append((record, error)) }
        }
        write { draft in
            var records: [String: ModuleRecord?] = [:]
            for (old, error) in failed {
                guard var record = draft.snapshot.module(from: old.file), record.revision == old.revision,
                    record.state == .resolved
                else { continue }
                if error.isUnfinished {
                    record.pending = PendingStep(kind: .trial, error: error, since: .now, next: .now)
                } else if error.isModuleFault {
                    record.state = .refused(error)
                } else {
                    continue
                }
                records[old.file] = record
            }
            draft.change(records)
        }
    }

    /// Refuses an active module because its library was quarantined. Does nothing if the current generation uses a
    /// library with another digest.
    package func refuseAfterCrash(_ file: String, _ digest: Digest, because error: ViperError) {
        _ = write { draft in
            draft.update(file) { record in
                guard record.state == .active, record.generation?.code.copy?.digest == digest else { return false }
                (record.state, record.generation, record.pending) = (.refused(error), nil, nil)
                return true
            }
        }
    }

    /// Replaces the errors of refused modules with more detailed errors.
    ///
    /// - Parameter errors: The new errors, keyed by manifest file.
    package func explain(_ errors: [String: ViperError]) {
        write { draft in
            for (file, error) in errors {
                _ = draft.update(file) { record in
                    guard record.state.isRefused else { return false }
                    record.state = .refused(error)
                    return true
                }
            }
        }
    }

    func retire(_ file: String) {
        _ = write { draft in
            draft.update(file) { record in
                guard record.state.refusal == nil else { return false }
                (record.state, record.generation, record.pending) = (.retired, nil, nil)
                return true
            }
        }
    }

    /// Retires all modules in a single step, except for refused modules.
    func retireAll() {
        write { draft in
            var records: [String: ModuleRecord?] = [:]
            for var record in draft.snapshot.modules where !record.state.isRefused {
                (record.state, record.generation, record.pending) = (.retired, nil, nil)
                records[record.file] = record
            }
            draft.change(records)
        }
    }

    /// Tells the listeners that the state of a generation's work has changed. Snapshots do not contain this state.
    package func noteRun(of generation: Generation) { tellRun(of: generation, after: nil) }

    /// Tells the listeners the state of a generation's work until it is the newest. Two threads can read it in one order
    /// and tell it in the other.
    ///
    /// - Parameter told: The last change that was told. Nil to tell one in any case.
    private func tellRun(of generation: Generation, after told: RegistryChange?) {
        var told = told
        while true {
            let snapshot = snapshot
            // After a later write, the new generation's work has a state of its own.
            guard let record = snapshot.module(from: generation.files.entry.file), record.generation === generation
            else { return }
            let change = RegistryChange(record)
            if let told, told.run == change.run { return }
            let isTold = state.withLock { state in
                guard state.snapshot === snapshot else { return false }
                state.listeners.values.forEach { $0.yield(change) }
                return true
            }
            if isTold { told = change }
        }
    }

    /// Returns a stream with an element now and after later changes. One element may stand for many changes.
    func changeSignals() -> AsyncStream<Void> {
        let changes = changes(keeping: .bufferingNewest(1))
        // A sequence that only waits for changes would miss those before its first element is awaited.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let task = Task {
            for await _ in changes { continuation.yield() }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
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
            // A task that is being cancelled holds a lock of its own here, and `write` yields to that task under the
            // registry's lock. So another task must remove the listener.
            continuation.onTermination = { [weak self] _ in
                Task { self?.state.withLock { $0.listeners[number] = nil } }
            }
        }
    }
}
