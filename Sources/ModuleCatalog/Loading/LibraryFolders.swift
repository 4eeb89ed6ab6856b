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

    /// The names of the libraries in the folder of the host's executable. Nil if the folder cannot be listed.
    var bundledNames: Set<String>? {
        guard let folder = try? executable.get() else { return [] }
        return (try? folder.names(ending: ".so")).map { Set($0) }
    }

    /// Returns the identity of a library for an index. Returns nil if neither or both of the folders contain the
    /// library, or if the index cannot contain it.
    ///
    /// - Parameter bundledNames: The value of ``bundledNames``. With many libraries, asking the system whether the folder
    ///   contains each of them would take longer.
    func identify(_ library: String, for index: CatalogIndex, _ bundledNames: Set<String>) -> FoundLibrary? {
        guard areLocal else { return nil }
        let isBundled = bundledNames.contains(library)
        if let plugins {
            if let identity = index.identify(library, in: plugins) {
                return isBundled ? nil : FoundLibrary(identity: identity, isBundled: false)
            }
            if plugins.mayContain(library) { return nil }
        }
        guard isBundled, let folder = try? executable.get() else { return nil }
        return index.identify(library, in: folder).map { FoundLibrary(identity: $0, isBundled: true) }
    }
}
