package import ModuleCatalog
package import ViperKit

/// A decision on how the registry becomes equal to the root. It reads and loads nothing.
///
/// The root's content is *desired*, and the registry's content is *current*. The next registry follows from both, and from
/// the outcomes of steps that take time. Every call takes the whole state into account, so it does not matter which change
/// caused the call, or whether calls were missed.
package struct Reconciliation: Sendable {
    /// The desired state of a manifest file.
    package enum Desired: Sendable {
        case present(ModuleFiles)
        /// The file is missing since this time. Editors move a file away and back when saving, so a missing file counts
        /// as removed only after ``settlingTime``.
        case absent(since: ContinuousClock.Instant)
        /// The manifest is valid, but its library is missing since this time. The version in use stays for
        /// ``settlingTime``.
        case incomplete(since: ContinuousClock.Instant)
    }

    /// The steps that follow from a reconciliation.
    package struct Next: Sendable {
        /// The steps that modules need, keyed by manifest file.
        package var steps: [String: Step] = [:]
        /// The outcomes that a later reconciliation still needs, keyed by manifest file.
        package var outcomes: [String: [Outcome]] = [:]
        /// The generations that were made but are not needed.
        package var unused: [Generation] = []
        /// The generations whose work must be started, unless it was started before.
        package var running: [Generation] = []
        /// The histories of the modules that were removed. Their records can be forgotten when their generations have
        /// stopped.
        package var removed: [ModuleHistory] = []
        /// The time at which the root must be read again, although no change was noticed. Nil if it need not be read.
        package var reading: ContinuousClock.Instant?
    }

    /// The time for which a file must be missing before its module is removed.
    package static let settlingTime = Duration.milliseconds(100)

    /// The desired state of each manifest file, keyed by file.
    package var desired: [String: Desired]
    /// The outcomes of the latest steps, keyed by manifest file. At most one for each version of the files.
    package var outcomes: [String: [Outcome]]
    package var now: ContinuousClock.Instant
    /// Returns true if a module runs in a worker.
    package var isIsolated: @Sendable (Manifest) -> Bool
    /// Returns the error of a module that cannot be used under the host's settings, or nil.
    package var fault: @Sendable (Manifest) -> ViperError?
    /// The modules whose work this host starts, by what their manifests say.
    package var runs: Set<Manifest.Runs> = []
    /// The modules to which the host's settings give a value.
    package var configured: Set<String> = []

    /// Returns the manifest files of the modules in the registry that the host's settings refuse.
    package func settled(in snapshot: RegistrySnapshot) -> Set<String> {
        Set(snapshot.modules.filter { $0.manifest.flatMap(fault) != nil }.map(\.file))
    }

    package init(
        desired: [String: Desired], outcomes: [String: [Outcome]], now: ContinuousClock.Instant,
        isIsolated: @escaping @Sendable (Manifest) -> Bool, fault: @escaping @Sendable (Manifest) -> ViperError?
    ) {
        (self.desired, self.outcomes, self.now) = (desired, outcomes, now)
        (self.isIsolated, self.fault) = (isIsolated, fault)
    }

    /// Changes the registry as far as possible without waiting, and returns the steps that must follow.
    package func apply(to draft: inout RegistryDraft) -> Next {
        var work = ReconciliationWork(self, draft)
        work.removeAbsent()
        work.endTrials()
        work.replaceVersions()
        work.rewire()
        work.planTrials()
        work.planRuns()
        work.notePending()
        draft = work.draft
        return work.next()
    }
}

extension RegistryDraft {
    /// Asks for another trial of each module that was refused because of its own fault. It stays refused until it passes.
    ///
    /// - Parameter settled: The manifest files of the modules that the host's settings refuse. No trial can change that.
    package mutating func retryFaults(at now: ContinuousClock.Instant, except settled: Set<String>) {
        var records: [String: ModuleRecord?] = [:]
        for var record in snapshot.modules
        where record.fault != nil && record.manifest != nil && record.pending?.kind != .trial
            && !settled.contains(record.file)
        {
            record.pending = PendingStep(kind: .trial, error: nil, since: now, next: nil)
            records[record.file] = record
        }
        change(records)
    }
}
