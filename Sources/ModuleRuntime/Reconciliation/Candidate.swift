import ViperKit

/// A record that may replace the current record of a manifest file.
struct Candidate {
    var record: ModuleRecord
    /// True if the current record stays if this one would be refused.
    let keepsCurrent: Bool
    /// True if the record can only be used after a step has succeeded.
    var isWaiting = false
}

extension RegistryDraft {
    /// The maximum number of attempts to find the candidates that can be used together. Each attempt resolves all
    /// modules.
    private static let attempts = 4

    /// Applies as many candidates as can be used together, in one step. Modules may therefore exchange their names or
    /// services.
    ///
    /// - Parameters:
    ///   - candidates: The candidates, keyed by manifest file.
    ///   - others: The candidates that are not ready. If such a module loses its generation, it has nothing to keep, and
    ///     its candidate is applied too.
    ///   - now: The time of the reconciliation.
    /// - Returns: The errors of the candidates that were not applied.
    mutating func take(
        _ candidates: [String: Candidate], besides others: [String: Candidate] = [:],
        at now: ContinuousClock.Instant
    ) -> [String: ViperError] {
        if candidates.isEmpty { return [:] }
        var (rest, rejected) = (candidates, [String: ViperError]())
        let start = self
        for attempt in 1...Self.attempts {
            self = start
            // The candidates without an alternative are always applied.
            if attempt == Self.attempts {
                for (file, candidate) in rest where candidate.keepsCurrent {
                    rejected[file] = .notTogether(candidate.record)
                }
                rest = rest.filter { !$0.value.keepsCurrent }
            }
            change(rest.mapValues(\.record))
            var isComplete = true
            for (file, candidate) in rest where candidate.keepsCurrent {
                guard let refusal = snapshot.module(from: file)?.state.refusal else { continue }
                (rest[file], rejected[file], isComplete) = (nil, refusal, false)
            }
            // Only the loss that remains counts, not one that a dropped candidate has caused.
            let lost = isComplete ? others.filter { rest[$0.key] == nil } : [:]
            for (file, candidate) in lost {
                guard start.snapshot.module(from: file)?.generation != nil,
                    snapshot.module(from: file)?.generation == nil
                else { continue }
                var record = candidate.record
                record.generation = nil
                record.pending = PendingStep(kind: .trial, error: nil, since: now, next: nil)
                (rest[file], isComplete) = (Candidate(record: record, keepsCurrent: false), false)
            }
            if isComplete { break }
        }
        return rejected
    }
}

extension ViperError {
    /// The error of a version that was not tried with fewer of the other changes.
    fileprivate static func notTogether(_ record: ModuleRecord) -> Self {
        Self(
            .requirementUnmet, operation: "cannot use module", subject: record.name,
            cause: "it cannot be used together with the other modules that have changed",
            notes: [.init("manifest", record.file)], fix: "change fewer modules at a time")
    }
}
