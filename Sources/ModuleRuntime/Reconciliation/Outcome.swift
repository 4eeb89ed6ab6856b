import HostSystem
package import ViperKit

/// The outcome of a step: of a trial of the version in use, or of making a generation.
package struct Outcome: Sendable {
    /// The files that were tried.
    package let files: ModuleFiles
    /// The providers with which they were tried.
    package let wiring: Wiring
    /// The new generation. Nil if the module has no generation, or if its files have the same content as before.
    package let result: Result<Generation?, ViperError>
    /// True if the files were only tried, because the module had no generation.
    let isTrial: Bool
    /// The number of consecutive failures, including this one, with these files and providers.
    package let failures: Int
    package let time: ContinuousClock.Instant

    package init(_ result: Result<Generation?, ViperError>, of step: Step, at time: ContinuousClock.Instant) {
        (files, self.result, self.time) = (step.record.files, result, time)
        isTrial = step.record.generation == nil
        switch result {
        case .success(let generation): (wiring, failures) = (generation?.wiring ?? step.wiring, 0)
        case .failure: (wiring, failures) = (step.wiring, step.failures + 1)
        }
    }

    package var failure: ViperError? {
        if case .failure(let error) = result { error } else { nil }
    }

    package var generation: Generation? {
        if case .success(let generation) = result { generation } else { nil }
    }

    /// The time of the next attempt. Nil if another attempt makes no sense before the files or the providers change.
    var next: ContinuousClock.Instant? {
        guard let failure, !failure.isModuleFault else { return nil }
        return time + Backoff.pause(after: failures)
    }
}

/// A step that takes time: a trial, making a generation, or making the first generation of a module that runs.
package struct Step: Sendable {
    /// The record that the module will have if the step succeeds.
    package let record: ModuleRecord
    /// The registry as it will be if all steps succeed.
    package let snapshot: RegistrySnapshot
    package let wiring: Wiring
    /// The number of consecutive failures of this step.
    let failures: Int
    /// The time at which the step may start.
    package let due: ContinuousClock.Instant
    /// True if the module gets its first generation, because it runs.
    let isRun: Bool

    /// True if the step tries the same files with the same providers.
    package func isSame(as other: Step) -> Bool {
        record.files == other.record.files && wiring == other.wiring
            && (record.generation == nil) == (other.record.generation == nil) && isRun == other.isRun
    }
}
