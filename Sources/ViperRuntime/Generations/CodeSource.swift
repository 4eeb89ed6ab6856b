import ViperKit

/// Finds a module's code, has it proved where it is unknown, and loads it.
final class CodeSource: Sendable {
    private let loader: Loader
    /// Whether the content of libraries has to be told apart, as a host does that lets them be replaced.
    private let isLive: Bool

    init(loader: Loader, isLive: Bool) { (self.loader, self.isLive) = (loader, isLive) }

    /// Whether a module runs in a process of its own.
    func isIsolated(_ manifest: Manifest) -> Bool { isLive && manifest.isolation == .process }

    /// A private copy of a module's library, if it has one.
    func copy(_ record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> LibraryCopy? {
        switch record.code {
        case .linked: nil
        case .library: try await loader.copy(manifest, isNamed: isLive)
        }
    }

    /// The code of a module, ready to be made.
    ///
    /// - Parameter copy: Of its library.
    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode {
        switch (record.code, copy) {
        case (.linked(let entry), _): return LocalCode(entry: try checked(entry, record, manifest), copy: nil)
        case (.library, let copy?):
            let entry = try checked(try await loader.load(copy), record, manifest)
            record.history.load(image: copy.path)
            return LocalCode(entry: entry, copy: copy)
        case (.library, nil): preconditionFailure("a module with a library has a copy of it")
        }
    }

    /// Finds out whether a module's code works, without loading it here.
    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) {
    }

    private func checked(
        _ entry: ModuleEntry, _ record: ModuleRecord, _ manifest: Manifest
    ) throws(ViperError) -> ModuleEntry {
        if !manifest.routes.isEmpty && !entry.answersRoutes { throw mismatch(record, "routes", "RoutedModule") }
        if !manifest.provides.isEmpty && !entry.providesServices { throw mismatch(record, "provides", "ServiceModule") }
        return entry
    }

    private func mismatch(_ record: ModuleRecord, _ key: String, _ type: String) -> ViperError {
        ViperError(
            .moduleFailed, "cannot use module", record.name,
            cause: "its manifest has \"\(key)\", and its code is no \(type)", notes: [.init("manifest", record.file)],
            mend: "conform the module to \(type), or remove \"\(key)\"")
    }
}
