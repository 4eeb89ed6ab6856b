package import ModuleCatalog
package import ViperKit

/// A source of the code of modules.
package protocol CodeSource: Sendable {
    /// Returns true if a module runs in a separate process.
    func isIsolated(_ manifest: Manifest) -> Bool

    /// Returns a private copy of a module's library. Nil if the module is linked into this process.
    ///
    /// - Throws: The reason why the library cannot be used.
    func copy(_ manifest: Manifest) async throws(ViperError) -> LibraryCopy?

    /// Returns the code of a module, from which the module can be created.
    ///
    /// - Parameter copy: The copy of its library.
    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode

    /// Checks that a module's code works, without loading it into this process.
    ///
    /// - Parameter copy: The copy of its library.
    /// - Throws: The reason why the module is refused.
    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError)
}
