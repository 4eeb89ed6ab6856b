import ModuleCatalog
import ViperKit

extension ReconciliationWork {
    mutating func replaceVersions() {
        while true {
            var (ready, waiting) = ([String: Candidate](), [String: Candidate]())
            plan = Plan()
            for candidate in candidates() {
                if candidate.isWaiting {
                    waiting[candidate.record.file] = candidate
                } else {
                    ready[candidate.record.file] = candidate
                }
            }
            let rejected = plan.errors
            // A version that fails for reasons outside its module must not keep others from being tried.
            let failing = waiting.filter { outcome(of: $0.value.record)?.failure != nil }
            var (preview, later, result) = (draft, draft, draft)
            var unusable = preview.take(
                ready.merging(waiting.filter { failing[$0.key] == nil }) { $1 }, at: input.now)
            if !failing.isEmpty {
                unusable.merge(
                    later.take(ready.merging(waiting) { $1 }, at: input.now).filter { failing[$0.key] != nil }
                ) { $1 }
            }
            if waiting.isEmpty {
                result = preview
            } else {
                _ = result.take(ready.filter { unusable[$0.key] == nil }, besides: waiting, at: input.now)
            }
            if dropOutdated(ready, rejected, preview, result) { continue }
            for (file, error) in unusable { plan.errors[file] = error }
            for file in Set(waiting.keys).union(ready.keys).union(plan.errors.keys) {
                let record = result.snapshot.module(from: file)
                // The trial of the version in use comes first.
                let isTrial = record?.pending?.kind == .trial && record?.generation == nil
                if record?.files != desiredFiles(file), !isTrial { plan.kinds[file] = .version }
            }
            for (file, _) in waiting where unusable[file] == nil && !isApplied(file, in: result) {
                planStep(file, (failing[file] == nil ? preview : later).snapshot, result.snapshot)
            }
            draft = result
            return
        }
    }

    private func isApplied(_ file: String, in result: RegistryDraft) -> Bool {
        guard let record = result.snapshot.module(from: file) else { return false }
        return record.fault == nil && record.files == desiredFiles(file)
    }

    /// Returns the records of the versions that differ from those in use. Plans the errors of those that cannot be used.
    private mutating func candidates() -> [Candidate] {
        var candidates: [Candidate] = []
        for (file, desired) in input.desired {
            guard case .present(let files) = desired else { continue }
            let current = draft.snapshot.module(from: file)
            // A manifest that has moved is used as soon as the old file counts as removed. Until then it is no duplicate.
            if current == nil, leaving.contains(files.name) { continue }
            if let current, current.files == files {
                if current.fault != nil, current.pending?.kind == .trial { candidates.append(retried(current)) }
            } else if let failure = files.failure, current?.state.isUsable == true {
                plan.errors[file] = failure
            } else if let candidate = candidate(files, after: current) {
                candidates.append(candidate)
            }
        }
        return candidates
    }

    /// Returns the record of a refused module that is tried again with the same files.
    private func retried(_ current: ModuleRecord) -> Candidate {
        var record = current
        (record.state, record.pending) = (.discovered, nil)
        let hasPassed = outcome(of: current)?.failure == nil && outcome(of: current) != nil
        return Candidate(record: record, keepsCurrent: true, isWaiting: !hasPassed)
    }

    /// Returns the record of a newer version. Plans its error and returns nil if the version was tried and does not work.
    private mutating func candidate(_ files: ModuleFiles, after current: ModuleRecord?) -> Candidate? {
        let fault = (try? files.entry.manifest.get()).flatMap(input.fault)
        var record =
            (fault == nil ? current?.alike(files, draft.clock) : nil)
            ?? ModuleRecord(files, inPlaceOf: current, draft.clock)
        if let fault { record.state = .refused(fault) }
        let isUsable = current?.state.isUsable ?? false
        guard let current, let generation = current.generation else {
            if record.manifest != nil, fault == nil {
                record.pending = PendingStep(kind: .trial, error: nil, since: input.now, next: nil)
            }
            return Candidate(record: record, keepsCurrent: isUsable)
        }
        if record.state == .resolved { record.state = .active }
        record.generation = generation
        switch outcome(of: record).flatMap({ $0.isTrial ? nil : $0.result }) {
        case .success(let newer?):
            record.generation = newer
            return Candidate(record: record, keepsCurrent: true)
        case .success(nil):
            // The files have the same content as before.
            record = current
            record.files = files
            return Candidate(record: record, keepsCurrent: true)
        case .failure(let error):
            plan.errors[record.file] = error
            return outcome(of: record)?.next == nil
                ? nil : Candidate(record: record, keepsCurrent: true, isWaiting: true)
        case nil:
            return Candidate(record: record, keepsCurrent: true, isWaiting: true)
        }
    }

    /// Drops the outcomes that were obtained with other providers than the module would get now.
    ///
    /// - Returns: True if an outcome was dropped.
    private mutating func dropOutdated(
        _ ready: [String: Candidate], _ rejected: [String: ViperError], _ preview: RegistryDraft,
        _ result: RegistryDraft
    ) -> Bool {
        var hasDropped = false
        for (file, candidate) in ready {
            guard let outcome = outcome(of: candidate.record), let newer = outcome.generation,
                let record = result.snapshot.module(from: file), record.generation === newer,
                !newer.wiring.isCurrent(for: record, in: result.snapshot)
            else { continue }
            drop(outcome, of: file)
            hasDropped = true
        }
        for file in rejected.keys {
            guard let files = desiredFiles(file), let outcome = outcomes[file]?.first(where: { $0.files == files }),
                outcome.failure != nil
            else { continue }
            let record = ModuleRecord(files, inPlaceOf: preview.snapshot.module(from: file), draft.clock)
            if outcome.wiring.isCurrent(for: record, in: preview.snapshot) { continue }
            drop(outcome, of: file)
            hasDropped = true
        }
        return hasDropped
    }

    /// Plans a step that makes a version usable, unless a provider of the module is changing too.
    private mutating func planStep(_ file: String, _ preview: RegistrySnapshot, _ result: RegistrySnapshot) {
        guard let record = preview.module(from: file), record.files == desiredFiles(file) else { return }
        for provider in preview.providers(for: record).values {
            guard let now = result.module(from: provider.file), now.revision == provider.revision,
                now.generation === provider.generation
            else { return }
        }
        addStep(for: record, in: preview)
    }
}
