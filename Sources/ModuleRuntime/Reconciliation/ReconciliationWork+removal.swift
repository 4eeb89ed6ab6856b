extension ReconciliationWork {
    /// Retires the modules whose manifest files have been missing long enough. A module that never had a generation is
    /// removed from the registry, and so is a retired one that nothing uses any more.
    mutating func removeAbsent() {
        var changes: [String: ModuleRecord?] = [:]
        for (file, desired) in input.desired {
            if case .incomplete(let since) = desired { readAgain(since + Reconciliation.settlingTime) }
            guard case .absent(let since) = desired, var record = draft.snapshot.module(from: file),
                !record.files.isWithdrawn
            else { continue }
            let due = since + Reconciliation.settlingTime
            if input.now < due {
                leaving.insert(record.name)
                readAgain(due)
            } else if record.history.generations == 0 {
                changes.updateValue(nil, forKey: file)
            } else {
                removed.append(record.history)
                (record.state, record.generation, record.pending) = (.retired, nil, nil)
                record.files = record.files.withdrawn
                changes[file] = record
            }
        }
        for record in draft.snapshot.modules where record.state == .retired && record.files.isWithdrawn {
            if record.history.isForgotten { changes.updateValue(nil, forKey: record.file) }
        }
        draft.change(changes)
    }

    private mutating func readAgain(_ due: ContinuousClock.Instant) { reading = min(reading ?? due, due) }
}
