package import ViperKit

/// What has become of one module.
package struct RegistryChange: Sendable, Equatable, Encodable {
    /// The module's name.
    package var module: String
    /// Its state in one word, or `removed`.
    package var state: String
    /// The number of the generation that answers, while one does.
    package var generation: Int?
    /// Why it is refused, or why what was last put in its place was not taken.
    package var error: ViperError?

    /// The changes from one snapshot to another.
    static func between(_ before: RegistrySnapshot, _ after: RegistrySnapshot) -> [Self] {
        after.modules.compactMap { record in
            let change = Self(record)
            // Newer files are a change, also of a module that is not loaded.
            guard let earlier = before.module(from: record.file), earlier.revision == record.revision else {
                return change
            }
            return Self(earlier) == change ? nil : change
        }
            + before.modules.filter { after.module(from: $0.file) == nil }.map { record in
                var change = Self(record)
                (change.state, change.generation, change.error) = ("removed", nil, nil)
                return change
            }
    }

    private init(_ record: ModuleRecord) {
        (module, state, generation) = (record.name, record.state.name, record.generation?.number)
        error = record.state.refusal ?? record.rejection
    }
}
