import HostSystem
import ModuleCatalog
import ViperKit

/// The identity of a version of a module's files.
struct FileVersion: Equatable {
    /// The manifest as bytes, or the error if it is invalid.
    var manifest: Result<[UInt8], ViperError>?
    var library: FileIdentity?
}

extension FileVersion {
    /// Creates the version of a module's files in a root. This initializer blocks.
    init(of entry: CatalogEntry, in root: Root) {
        let name = (try? entry.manifest.get())?.library
        let identity = name.flatMap {
            FileIdentity(of: "\(root.plugins)/\($0)") ?? FileIdentity(of: "\(root.executableFolder)/\($0)")
        }
        // Each write to a library changes its version, even while its manifest cannot be read.
        let own = entry.file.hasSuffix(".so") ? FileIdentity(of: "\(root.path)/\(entry.file)") : nil
        self.init(manifest: entry.manifest.map(\.bytes), library: identity ?? own)
    }
}

/// A snapshot of the manifests and libraries in a root.
struct RootScan: Sendable {
    let catalog: Catalog
    /// The version of each module's files, keyed by manifest file.
    private(set) var versions: [String: FileVersion]
    /// The manifest files of the modules whose files were read again. Nil if the whole root was read.
    private(set) var modules: Set<String>?

    /// Creates a snapshot by reading the root. This initializer blocks.
    ///
    /// - Throws: An error if a folder in the root cannot be read.
    init(_ root: Root, with index: CatalogIndex?) throws(ViperError) {
        self.init(of: try Catalog(reading: root, with: index), in: root)
    }

    /// Creates a snapshot by reading the identities of a catalog's libraries. This initializer blocks.
    init(of catalog: Catalog, in root: Root) {
        self.catalog = catalog
        versions = catalog.entries.reduce(into: [:]) { $0[$1.file] = FileVersion(of: $1, in: root) }
    }

    /// Returns a snapshot that results from reading only some files again. Returns nil if the whole root must be read.
    /// This method blocks.
    ///
    /// - Throws: An error if a folder in the root cannot be read.
    func rereading(_ files: Set<String>, in root: Root) throws(ViperError) -> RootScan? {
        guard let (catalog, modules) = try catalog.rereading(files, in: root) else { return nil }
        var scan = RootScan(catalog: catalog, versions: versions, modules: modules)
        for entry in catalog.entries where modules.contains(entry.file) {
            scan.versions[entry.file] = FileVersion(of: entry, in: root)
        }
        return scan
    }

    private init(catalog: Catalog, versions: [String: FileVersion], modules: Set<String>) {
        (self.catalog, self.versions, self.modules) = (catalog, versions, modules)
    }
}
