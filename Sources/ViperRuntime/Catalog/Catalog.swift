public import ViperKit

/// What lies in a root's `Manifests/` and `Plugins/`, read without running anything of it.
public struct Catalog: Sendable {
    /// One entry for each manifest, in the order of their file names.
    public var entries: [CatalogEntry]
    /// Names of libraries in `Plugins/` that no manifest mentions.
    public var strayLibraries: [String]

    /// More than any manifest needs; a larger file is refused unread.
    private static let manifestLimit = 1 << 20

    init(entries: [CatalogEntry], strayLibraries: [String]) {
        (self.entries, self.strayLibraries) = (entries, strayLibraries)
    }

    /// Reads a root. One bad manifest is one refused entry; the others are read all the same.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable``.
    public init(reading root: Root) throws(ViperError) {
        let names = try fileNames(in: root.manifests, ending: ".json").filter { !$0.hasSuffix(".schema.json") }
        entries = names.map { CatalogEntry(file: "Manifests/\($0)", path: "\(root.manifests)/\($0)") }
        let mentioned = Set(entries.compactMap { try? $0.manifest.get().library })
        strayLibraries = try fileNames(in: root.plugins, ending: ".so").filter { !mentioned.contains($0) }
    }

    fileprivate static func read(_ path: String, named file: String) throws(ViperError) -> Manifest {
        let purpose = JSONText.Purpose(code: .manifestInvalid, what: "cannot use manifest")
        do {
            let data = try RegularFile(path: path).read(limit: manifestLimit)
            return try JSONText(name: file, data: data, purpose: purpose).decode(Manifest.self)
        } catch let failure as RegularFile.Failure {
            throw ViperError(purpose.code, purpose.what, file, cause: failure.cause)
        } catch let error as ViperError {
            throw error
        } catch {
            throw ViperError(purpose.code, purpose.what, file, cause: "\(error)")
        }
    }
}

/// One module as the registry first hears of it.
public struct CatalogEntry: Sendable {
    /// Where its code comes from.
    enum Code: Sendable {
        /// From the library that its manifest names.
        case library
        /// From this process itself: a module under test.
        case linked(ModuleEntry)
    }

    /// The manifest's file, relative to the root: `Manifests/company-list.json`. Identifies the entry.
    public let file: String
    /// What the file says, or why it is refused.
    public let manifest: Result<Manifest, ViperError>
    let code: Code

    init(file: String, path: String) {
        self.file = file
        manifest = Result { () throws(ViperError) in try Catalog.read(path, named: file) }
        code = .library
    }

    /// A module of this process, described by a manifest file.
    package init(linked entry: ModuleEntry, manifestPath: String) {
        file = manifestPath
        manifest = Result { () throws(ViperError) in try Catalog.read(manifestPath, named: manifestPath) }
        code = .linked(entry)
    }
}
