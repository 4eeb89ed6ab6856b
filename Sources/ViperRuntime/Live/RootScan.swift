import HostSystem
import ModuleCatalog
import ViperKit

/// The identity of a version of a module's files.
struct FileVersion: Equatable {
    /// The manifest as bytes, or the error if it is invalid.
    var manifest: Result<[UInt8], ViperError>?
    var library: FileIdentity?
}

/// A snapshot of the manifests and libraries in a root.
struct RootScan: Sendable {
    let catalog: Catalog
    /// The version of each module's files, keyed by manifest file.
    let versions: [String: FileVersion]

    /// Creates a snapshot by reading the root. This initializer blocks.
    ///
    /// - Throws: An error if a folder in the root cannot be read.
    init(_ root: Root, with index: CatalogIndex?) throws(ViperError) {
        self.init(of: try Catalog(reading: root, with: index), in: root)
    }

    /// Creates a snapshot by reading the identities of a catalog's libraries. This initializer blocks.
    init(of catalog: Catalog, in root: Root) {
        self.catalog = catalog
        versions = catalog.entries.reduce(into: [:]) { versions, entry in
            let library = (try? entry.manifest.get())?.library
            let identity = library.flatMap { name in
                [root.plugins, root.executableFolder].lazy.compactMap { FileIdentity(of: "\($0)/\(name)") }.first
            }
            // Each write to a library changes its version, even while its manifest cannot be read.
            let own = entry.file.hasSuffix(".so") ? FileIdentity(of: "\(root.path)/\(entry.file)") : nil
            versions[entry.file] = FileVersion(manifest: entry.manifest.map(\.bytes), library: identity ?? own)
        }
    }
}
