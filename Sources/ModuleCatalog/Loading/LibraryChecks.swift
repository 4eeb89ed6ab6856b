package import ViperKit

/// Checks of several libraries without loading them. The checks share the open folders and the needed libraries.
package struct LibraryChecks {
    private let loader: Loader
    private let folders: LibraryFolders
    private let links = LinkCheck()
    private let index: CatalogIndex?

    /// Creates checks for the libraries in the loader's root.
    ///
    /// - Parameter index: An index of the libraries that have already passed the checks, or nil.
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    package init(_ loader: Loader, _ index: CatalogIndex? = nil) throws(ViperError) {
        (self.loader, self.index) = (loader, index)
        folders = try LibraryFolders(of: loader.finder.root, identifies: index?.isInUse ?? false)
    }

    /// Checks the library of a module.
    ///
    /// - Parameter file: The path of the manifest in the root.
    package func check(_ manifest: Manifest, from file: String) throws(ViperError) {
        let found = index.flatMap { folders.identify(manifest.library, for: $0) }
        if let found, index?.hasAccepted(found, for: file) == true { return }
        let content = [UInt8](try loader.finder.read(manifest.library, in: folders))
        let check = try LibraryCheck(content, of: manifest.library, for: manifest.sdk)
        try links.check(check.file, check.linkage, of: manifest.library)
        let isSilent = loader.tellDifferences(of: manifest, from: content)
        if let found, isSilent, links.isRepeatable { index?.accept(found, for: file) }
    }

    /// Saves the index. Call this method after the last check.
    package func saveIndex() { index?.save(links.identities) }
}
