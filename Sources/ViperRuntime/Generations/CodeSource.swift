import ViperKit

/// Finds a module's code, has it proved where it is unknown, and loads it.
final class CodeSource: Sendable {
    private let loader: Loader

    init(loader: Loader) { self.loader = loader }

    /// The code of a module as it stands in a snapshot.
    func code(
        of record: ModuleRecord, _ manifest: Manifest, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode {
        switch record.code {
        case .linked(let entry): return LocalCode(entry: try checked(entry, record, manifest), copy: nil)
        case .library:
            let copy = try await loader.copy(manifest, isNamed: false)
            let entry = try checked(try await loader.load(copy), record, manifest)
            record.history.load(image: copy.path)
            return LocalCode(entry: entry, copy: copy)
        }
    }

    /// Finds out whether a module's code works, without loading it here.
    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, in snapshot: RegistrySnapshot
    ) async throws(ViperError) {
        guard case .library = record.code else { return }
        _ = try await loader.copy(manifest, isNamed: false)
    }

    /// Asks a generation for its health.
    ///
    /// - Throws: What the module threw, or that it does not answer.
    func checkHealth(of generation: Generation) async throws(ViperError) {
        try await withTimeLimit(.seconds(10), "cannot use module", generation.manifest.name) {
            () async throws(ViperError) in try await generation.checkHealth()
        }
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
