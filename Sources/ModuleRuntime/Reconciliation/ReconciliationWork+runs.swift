extension ReconciliationWork {
    /// Plans to make the first generation of each module that runs. Other modules get theirs when they are first used.
    mutating func planRuns() {
        if input.runs.isEmpty { return }
        for record in draft.snapshot.modules where input.runs.contains(record.files.runs) {
            guard record.state == .resolved, record.generation == nil, plan.kinds[record.file] == nil else { continue }
            plan.kinds[record.file] = .run
            addStep(for: record, in: draft.snapshot)
        }
    }

    /// The current generations of the modules that run.
    var running: [Generation] {
        if input.runs.isEmpty { return [] }
        return draft.snapshot.modules.compactMap { input.runs.contains($0.files.runs) ? $0.generation : nil }
    }
}
