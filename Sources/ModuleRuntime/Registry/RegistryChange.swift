package import ViperKit

package struct RegistryChange: Sendable, Equatable, Encodable {
    package var module: String
    /// The name of the module's state, or `removed`.
    package var state: String
    /// The number of the current generation. Nil unless the module is active.
    package var generation: Int?
    /// The state of the module's work without a screen, as in ``ModuleRecord/run``.
    package var run: String?
    /// The error that caused the module to be refused, or a newer version to be rejected.
    package var error: ViperError?

    /// Creates the change from an earlier record of a module to a later one. Returns nil if nothing has changed.
    init?(from earlier: ModuleRecord?, to record: ModuleRecord?) {
        guard let record else {
            guard let earlier else { return nil }
            self.init(earlier)
            (state, generation, run, error) = ("removed", nil, nil, nil)
            return
        }
        self.init(record)
        // Replacing a module's files counts as a change, even if the module is not loaded.
        if let earlier, earlier.revision == record.revision, Self(earlier) == self { return nil }
    }

    init(_ record: ModuleRecord) {
        (module, state, generation) = (record.name, record.state.name, record.generation?.number)
        run = record.run
        error = record.state.refusal ?? record.rejection
    }
}
