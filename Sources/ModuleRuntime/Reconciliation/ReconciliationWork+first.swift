import ModuleCatalog
import ViperKit

/// The trials and the first generations of modules that have no generation.
extension ReconciliationWork {
    /// Refuses the modules that failed their trials because of their own faults.
    mutating func endTrials() {
        var changes: [String: ModuleRecord?] = [:]
        for file in input.outcomes.keys {
            guard var record = draft.snapshot.module(from: file), record.pending?.kind == .trial,
                record.generation == nil, let outcome = outcome(of: record)
            else { continue }
            // A faulty module that is tried again stays refused until it passes; see ``candidates()``.
            if record.fault != nil, outcome.failure == nil { continue }
            if outcome.failure != nil, record.fault == nil,
                !outcome.wiring.isCurrent(for: record, in: draft.snapshot)
            {
                drop(outcome, of: file)
                continue
            }
            if outcome.next != nil { continue }
            drop(outcome, of: file)
            record.pending = nil
            // If only a provider failed, the provider is refused, and the resolution refuses its users.
            if let failure = outcome.failure, failure.code != .requirementUnmet { record.state = .refused(failure) }
            changes[file] = record
        }
        draft.change(changes)
    }

    /// Plans a trial of each new or changed version that is in use without having a generation.
    mutating func planTrials() {
        for record in draft.snapshot.modules where record.pending?.kind == .trial && plan.kinds[record.file] == nil {
            if record.generation != nil || record.fault != nil { continue }
            plan.kinds[record.file] = .trial
            // Until the trial ends, the reason is the last known one.
            plan.errors[record.file] = record.pending?.error
            // A module that lacks a provider is tried when it gets one.
            if record.state == .resolved { addStep(for: record, in: draft.snapshot) }
        }
    }

    /// Plans to make the first generation of each module that runs. Other modules get theirs when they are first used.
    mutating func planRuns() {
        if input.runs.isEmpty { return }
        for record in draft.snapshot.modules where runs(record) {
            guard record.state == .resolved, record.generation == nil, plan.kinds[record.file] == nil else { continue }
            plan.kinds[record.file] = .run
            addStep(for: record, in: draft.snapshot)
        }
    }

    /// The current generations of the modules that run.
    var running: [Generation] {
        if input.runs.isEmpty { return [] }
        return draft.snapshot.modules.compactMap { runs($0) ? $0.generation : nil }
    }

    /// Returns true if this host starts the work of a module.
    private func runs(_ record: ModuleRecord) -> Bool {
        guard input.runs.contains(record.files.runs) else { return false }
        return record.files.runs != .configured || input.configured.contains(record.name)
    }
}
