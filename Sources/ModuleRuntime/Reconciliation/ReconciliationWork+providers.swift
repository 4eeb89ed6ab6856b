extension ReconciliationWork {
    /// Gives each module whose providers have changed its new generation, or plans to make that generation. A module gets
    /// it after all its providers.
    mutating func rewire() {
        let snapshot = draft.snapshot
        var (changes, outdated) = ([String: ModuleRecord?](), [ModuleRecord]())
        for var record in snapshot.modules where plan.steps[record.file] == nil {
            guard let generation = record.generation, !generation.wiring.isCurrent(for: record, in: snapshot) else {
                continue
            }
            guard let outcome = outcome(of: record) else {
                outdated.append(record)
                continue
            }
            guard outcome.wiring.isCurrent(for: record, in: snapshot) else {
                drop(outcome, of: record.file)
                outdated.append(record)
                continue
            }
            if let newer = outcome.generation, newer.wiring.isCurrent(for: record, in: snapshot) {
                record.generation = newer
                changes[record.file] = record
                drop(outcome, of: record.file)
            } else if let failure = outcome.failure {
                if plan.kinds[record.file] == nil {
                    (plan.kinds[record.file], plan.errors[record.file]) = (.providers, failure)
                }
                if outcome.next != nil { outdated.append(record) }
            } else {
                drop(outcome, of: record.file)
                outdated.append(record)
            }
        }
        // A provider that fails for reasons outside its module delays no other module.
        let changing = Set(outdated.filter { outcome(of: $0)?.failure == nil }.map(\.file)).union(changes.keys)
            .union(plan.steps.filter { $0.value.failures == 0 }.keys)
        for record in outdated {
            if plan.kinds[record.file] == nil { plan.kinds[record.file] = .providers }
            let providers = snapshot.providers(for: record).values
            if providers.contains(where: { changing.contains($0.file) && $0.generation != nil }) { continue }
            addStep(for: record, in: snapshot)
        }
        draft.change(changes)
    }
}
