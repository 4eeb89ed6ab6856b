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

    /// The names of the libraries in the folder of the host's executable. With many libraries, asking the system whether
    /// the folder contains each of them would take longer. Nil if the folder was not or cannot be listed.
    private let bundledNames: Set<String>?

    /// Opens the folders to search for the libraries of a root.
    ///
    /// - Parameter identifies: True if ``identify(_:for:)`` will be called.
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    init(of root: Root, identifies: Bool = false) throws(ViperError) {
        plugins = try root.open("Plugins")[0]
        executable = Result { () throws(ViperError) in try root.openExecutableFolder() }
        let folder = (try? executable.get()) ?? nil
        areLocal = plugins?.isLocal ?? true && folder?.isLocal ?? true
        bundledNames = identifies ? (try? folder?.names(ending: ".so") ?? []).map { Set($0) } : nil
    }

    /// Returns the identity of a library for an index. Returns nil if neither or both of the folders contain the
    /// library, or if the index cannot contain it.
    func identify(_ library: String, for index: CatalogIndex) -> FoundLibrary? {
        guard areLocal, let bundledNames else { return nil }
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
