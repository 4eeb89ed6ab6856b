package import ViperKit

/// The step that a module still needs before the registry matches the root.
package struct PendingStep: Sendable, Equatable {
    package enum Kind: Sendable {
        /// The version in use must be tried in another process.
        case trial
        /// A newer version must replace the version in use.
        case version
        /// A new generation must replace the current one, because the module's providers have changed.
        case providers
        /// The first generation must be made, because the module runs.
        case run
    }

    package let kind: Kind
    /// The reason why the last attempt failed. Nil if the step was not tried yet.
    package let error: ViperError?
    /// The time at which the step became necessary.
    package let since: ContinuousClock.Instant
    /// The time of the next attempt. Nil if the step waits for a change of the module's files or its providers.
    package let next: ContinuousClock.Instant?
}
