import ModuleCatalog
import ViperKit

/// A source of module code that is linked into this process.
struct LinkedCodeSource: CodeSource {
    /// The modules' types, keyed by manifest file.
    let types: [String: any Module.Type]

    func isIsolated(_ manifest: Manifest) -> Bool { false }

    func copy(of record: ModuleRecord, _ manifest: Manifest) -> LibraryCopy? { nil }

    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode {
        guard let type = types[record.file] else { preconditionFailure("\(record.file) has no module") }
        return try await localCode(type, of: manifest, in: record.file, from: nil)
    }

    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) {}
}
