package import ViperKit

package struct RegistryChange: Sendable, Equatable, Encodable {
    package var module: String
    /// The name of the module's state, or `removed`.
    package var state: String
    /// The number of the current generation. Nil unless the module is active.
    package var generation: Int?
    /// The error that caused the module to be refused, or a newer version to be rejected.
    package var error: ViperError?

    static func between(_ before: RegistrySnapshot, _ after: RegistrySnapshot) -> [Self] {
        after.modules.compactMap { between(before.module(from: $0.file), $0) }
            + before.modules.filter { after.module(from: $0.file) == nil }.map { record in
                var change = Self(record)
                (change.state, change.generation, change.error) = ("removed", nil, nil)
                return change
            }
    }

    /// Returns the change from an earlier record of a module, or nil if nothing has changed.
    static func between(_ earlier: ModuleRecord?, _ record: ModuleRecord) -> Self? {
        let change = Self(record)
        // Replacing a module's files counts as a change, even if the module is not loaded.
        guard let earlier, earlier.revision == record.revision else { return change }
        return Self(earlier) == change ? nil : change
    }

    private init(_ record: ModuleRecord) {
        (module, state, generation) = (record.name, record.state.name, record.generation?.number)
        error = record.state.refusal ?? record.rejection
    }
}
