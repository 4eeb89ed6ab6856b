package import ModuleCatalog
package import ViperKit

/// Finds and prepares the code of modules.
package protocol CodeSource: Sendable {
    /// Returns true if a module runs in a process of its own.
    func isIsolated(_ manifest: Manifest) -> Bool

    /// Returns a private copy of a module's library. Nil if the module is linked into this process.
    ///
    /// - Throws: Why the library cannot be used.
    func copy(_ manifest: Manifest) async throws(ViperError) -> LibraryCopy?

    /// Returns the code of a module, ready to be made.
    ///
    /// - Parameter copy: The copy of its library.
    func code(
        of record: ModuleRecord, _ manifest: Manifest, from copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError) -> any ModuleCode

    /// Finds out whether a module's code works, without loading it into this process.
    ///
    /// - Parameter copy: The copy of its library.
    /// - Throws: Why the module is refused.
    func prove(
        _ record: ModuleRecord, _ manifest: Manifest, _ copy: LibraryCopy?, in snapshot: RegistrySnapshot
    ) async throws(ViperError)
}
