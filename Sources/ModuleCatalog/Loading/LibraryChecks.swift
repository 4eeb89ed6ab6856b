import HostSystem
package import ViperKit

/// Checks of several libraries without loading them. The checks share the open folders and the needed libraries.
package struct LibraryChecks {
    private let loader: Loader
    private let folders: LibraryFolders
    private let links = LinkCheck()
    private let needed: NeededLibraries

    /// Creates checks for the libraries in the loader's root.
    ///
    /// - Throws: An error if the host cannot use the folder `Plugins/`.
    package init(_ loader: Loader) throws(ViperError) {
        self.loader = loader
        folders = try LibraryFolders(of: loader.finder.root)
        needed = NeededLibraries(trust: loader.finder.root.trust)
    }

    /// Checks the library of a module by reading it.
    ///
    /// - Returns: The library's content.
    @discardableResult
    package func check(_ manifest: Manifest) throws(ViperError) -> [UInt8] {
        let content = [UInt8](try loader.finder.read(manifest.library, in: folders))
        let check = try LibraryCheck(content, of: manifest.library, for: manifest.sdk)
        try needed.check(check.linkage.needs, of: manifest.library, origin: nil)
        try links.check(check.file, check.linkage, of: manifest.library)
        loader.tellDifferences(of: manifest, from: content)
        return content
    }

    /// Checks that no untrusted user can change the library of a module, without reading it. Ignores a missing library.
    package func checkTrust(_ manifest: Manifest) throws(ViperError) {
        for folder in [folders.plugins, try folders.executable.get()] {
            guard let folder else { continue }
            do { return try folder.checkTrust(manifest.library) } catch {
                if let refusal = error.refusal("cannot load library", manifest.library) { throw refusal }
                if !error.isMissing { return }
            }
        }
    }
}
