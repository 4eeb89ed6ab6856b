import ModuleCatalog
import ViperKit

/// A reconciliation in progress. ``Reconciliation/apply(to:)`` calls the methods in order.
struct ReconciliationWork {
    let input: Reconciliation
    var draft: RegistryDraft
    /// The outcomes that are still valid.
    var outcomes: [String: [Outcome]]
    var plan = Plan()
    /// The time at which the root must be read again.
    var reading: ContinuousClock.Instant?
    /// The histories of the modules that were removed.
    var removed: [ModuleHistory] = []
    /// The names of the modules whose manifest files are missing, but not long enough for a removal.
    var leaving: Set<String> = []

    /// The pending steps of the modules, with their reasons, keyed by manifest file.
    struct Plan {
        var kinds: [String: PendingStep.Kind] = [:]
        var errors: [String: ViperError] = [:]
        var steps: [String: Step] = [:]
    }

    init(_ input: Reconciliation, _ draft: RegistryDraft) {
        (self.input, self.draft, outcomes) = (input, draft, input.outcomes)
    }

    func outcome(of record: ModuleRecord) -> Outcome? {
        outcomes[record.file]?.first { $0.files == record.files }
    }

    mutating func drop(_ outcome: Outcome, of file: String) {
        outcomes[file]?.removeAll { $0.files == outcome.files }
    }

    /// The desired version of a manifest file. Nil if the file is missing.
    func desiredFiles(_ file: String) -> ModuleFiles? {
        if case .present(let files) = input.desired[file] { files } else { nil }
    }

    /// Plans the step that makes a record of a snapshot usable.
    mutating func addStep(for record: ModuleRecord, in snapshot: RegistrySnapshot) {
        let manifest = record.manifest
        let wiring = Wiring(of: record, in: snapshot, isIsolated: manifest.map(input.isIsolated) ?? false)
        let last = outcome(of: record)
        if let error = last?.failure { plan.errors[record.file] = error }
        plan.steps[record.file] = Step(
            record: record, snapshot: snapshot, wiring: wiring, failures: last?.failures ?? 0,
            due: last?.next ?? input.now, isRun: plan.kinds[record.file] == .run)
    }

    /// Stores what each module still needs in its record.
    mutating func notePending() {
        var changes: [String: ModuleRecord?] = [:]
        for var record in draft.snapshot.modules {
            let isRetried = record.fault != nil && record.pending?.kind == .trial
            let kind = plan.kinds[record.file] ?? (isRetried ? .trial : nil)
            if kind == nil, record.pending == nil { continue }
            let step = plan.steps[record.file]
            let error = plan.errors[record.file]
            let next = step.flatMap { $0.failures > 0 ? $0.due : nil }
            let isSame = record.pending?.kind == kind && record.pending?.error == error && record.pending?.next == next
            if isSame { continue }
            let since = record.pending?.kind == kind ? record.pending?.since : nil
            record.pending = kind.map { PendingStep(kind: $0, error: error, since: since ?? input.now, next: next) }
            changes[record.file] = record
        }
        draft.change(changes)
    }

    func next() -> Reconciliation.Next {
        var next = Reconciliation.Next()
        (next.steps, next.reading, next.removed) = (plan.steps, reading, removed)
        next.running = running
        for (file, earlier) in input.outcomes {
            let record = draft.snapshot.module(from: file)
            let desired = desiredFiles(file)
            next.outcomes[file] = outcomes[file]?.filter { outcome in
                let isNeeded = outcome.files == desired || outcome.files == record?.files
                return isNeeded
                    && (outcome.generation.map {
                        $0 !== record?.generation && plan.kinds[file] != nil && plan.errors[file] == nil
                    } ?? true)
            }
            let kept = next.outcomes[file, default: []].compactMap(\.generation)
            if next.outcomes[file]?.isEmpty ?? true { next.outcomes[file] = nil }
            next.unused += earlier.compactMap(\.generation).filter { generation in
                generation !== record?.generation && !kept.contains { $0 === generation }
            }
        }
        return next
    }
}
