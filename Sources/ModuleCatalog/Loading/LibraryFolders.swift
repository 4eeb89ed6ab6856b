import HostSystem
import ViperKit

/// The open folders that the host searches for libraries: the root's `Plugins/` folder first, then the folder of the
/// host's executable.
struct LibraryFolders {
    /// Nil if the folder is missing.
    let plugins: OpenFolder?
    /// The result contains nil if the folder is missing.
    let executable: Result<OpenFolder?, ViperError>

    /// True if both folders are on file systems whose files can be indexed.
    private let areLocal: Bool

    /// Opens the folders to search for the libraries of a root.
    ///
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    init(of root: Root) throws(ViperError) {
        plugins = try root.open("Plugins")[0]
        executable = Result { () throws(ViperError) in try root.openExecutableFolder() }
        areLocal = plugins?.isLocal ?? true && (try? executable.get())?.isLocal ?? true
    }

    /// Returns the identity of a library for an index. Returns nil if neither or both of the folders contain the
    /// library, or if the index cannot contain it.
    func identify(_ library: String, for index: CatalogIndex) -> FoundLibrary? {
        guard areLocal else { return nil }
        let bundled = (try? executable.get()) ?? nil
        if let plugins, plugins.mayContain(library) {
            if bundled?.mayContain(library) == true { return nil }
            return index.identify(library, in: plugins).map { FoundLibrary(identity: $0, isBundled: false) }
        }
        return bundled.flatMap { index.identify(library, in: $0) }.map { FoundLibrary(identity: $0, isBundled: true) }
    }
}
