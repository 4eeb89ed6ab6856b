import ModuleCatalog
import ViperKit

/// A source of module code that is linked into this process.
struct LinkedCodeSource: CodeSource {
    /// The modules' entries, keyed by manifest file.
    let entries: [String: ModuleEntry]

    func isIsolated(_ manifest: Manifest) -> Bool { false }

    func copy(_ manifest: Manifest) -> LibraryCopy? { nil }

    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) throws(ViperError) -> any ModuleCode {
        guard let entry = entries[record.file] else { preconditionFailure("\(record.file) has no entry") }
        return try LocalCode(entry, of: manifest, in: record.file, from: nil)
    }

    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) {}
}
