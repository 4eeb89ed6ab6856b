package import ModuleCatalog
package import ViperKit

/// A type that provides the code of modules, for example by loading their libraries.
package protocol CodeSource: Sendable {
    /// Returns true if a module runs in a separate process.
    func isIsolated(_ manifest: Manifest) -> Bool

    /// Returns a private copy of a module's library, or nil if the module is linked into this process.
    ///
    /// - Throws: ``ViperError/Code/moduleOutdated`` if the library has another manifest than the record. Another error if
    ///   the library cannot be used.
    func copy(of record: ModuleRecord, _ manifest: Manifest) async throws(ViperError) -> LibraryCopy?

    /// Returns the files of a module that were replaced after they were read. Nil if they were not replaced, or if this
    /// host reads them itself when they change.
    func newFiles(of record: ModuleRecord) async -> ModuleFiles?

    /// Returns the code that creates a module.
    ///
    /// - Parameter copy: The copy of the module's library. Nil if the module is linked into this process.
    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode

    /// Checks that a module's code works, without loading it into this process.
    ///
    /// - Parameter copy: The copy of the module's library. Nil if the module is linked into this process.
    /// - Throws: An error if the module must be refused, or if the check cannot finish.
    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError)

    /// Abandons the checks that are running, because the host is ending.
    func end()
}

extension CodeSource {
    package func end() {}

    package func newFiles(of record: ModuleRecord) async -> ModuleFiles? { nil }
}
