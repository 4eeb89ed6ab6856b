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
        let earlier = Dictionary(before.modules.map { ($0.file, Self($0)) }) { first, _ in first }
        let files = Set(after.modules.map(\.file))
        return after.modules.compactMap { record in
            let change = Self(record)
            return earlier[record.file] == change ? nil : change
        }
            + before.modules.filter { !files.contains($0.file) }.map { record in
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
