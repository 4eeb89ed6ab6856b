import FoundationEssentials
public import ViperKit

/// What lies in a root's `Manifests/` and `Plugins/`, read without running anything of it.
public struct Catalog: Sendable {
    /// One entry for each manifest, in the order of their file names.
    public var entries: [CatalogEntry]
    /// Names of libraries in `Plugins/` that no manifest mentions.
    public var strayLibraries: [String]

    init(entries: [CatalogEntry], strayLibraries: [String]) {
        (self.entries, self.strayLibraries) = (entries, strayLibraries)
    }

    /// Reads a root. One bad manifest is one refused entry; the others are read all the same.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable``.
    public init(reading root: Root) throws(ViperError) {
        let names = try fileNames(in: root.manifests, ending: ".json").filter { !$0.hasSuffix(".schema.json") }
        let listed = names.map { CatalogEntry(file: "Manifests/\($0)", path: "\(root.manifests)/\($0)") }
        let manifests = listed.compactMap { try? $0.manifest.get() }
        let mentioned = Set(manifests.map(\.library))
        let others = try fileNames(in: root.plugins, ending: ".so").filter { !mentioned.contains($0) }
        // A file in Manifests takes precedence over a library's own manifest.
        let packed = others.compactMap { CatalogEntry(packedIn: $0, folder: root.plugins) }.filter { entry in
            guard let name = (try? entry.manifest.get())?.name else { return true }
            // One that cannot be read is called as its module, if only by its file's name.
            return !manifests.contains { $0.name == name } && !names.contains("\(name).json")
        }
        entries = listed + packed
        strayLibraries = others.filter { library in !packed.contains { $0.file == "Plugins/\(library)" } }
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

    /// The file that has the manifest, relative to the root: `Manifests/company-list.json`, or `Plugins/libHello.so` for one that
    /// its library carries. Identifies the entry.
    public let file: String
    /// What the file says, or why it is refused.
    public let manifest: Result<Manifest, ViperError>
    /// The manifest's text, as far as it could be read.
    let text: Data?
    let code: Code

    init(file: String, path: String) {
        self.file = file
        let text = Result { () throws(ViperError) in try Manifest.text(ofFile: path, named: file) }
        manifest = Result { () throws(ViperError) in try Manifest(text: try text.get(), named: file) }
        (self.text, code) = (try? text.get(), .library)
    }

    /// A module whose library carries its manifest; nil when it carries none.
    init?(packedIn library: String, folder: String) {
        let file = "Plugins/\(library)"
        guard let content = try? RegularFile(path: "\(folder)/\(library)").read(limit: LibraryFinder.limit),
            let text = EmbeddedManifest.text(in: [UInt8](content))
        else { return nil }
        self.file = file
        manifest = Result { () throws(ViperError) in
            let manifest = try Manifest(text: Data(text), named: file)
            guard manifest.library == library else {
                throw ViperError(
                    .manifestInvalid, "cannot use manifest", file, cause: "it is of a library \"\(manifest.library)\"",
                    mend: "call the library so again, or pack a manifest that names it")
            }
            return manifest
        }
        (self.text, code) = (Data(text), .library)
    }

    /// A module of this process, described by a manifest file.
    package init(linked entry: ModuleEntry, manifestPath: String) {
        file = manifestPath
        manifest = Result { () throws(ViperError) in try Manifest(readingFile: manifestPath, named: manifestPath) }
        (text, code) = (nil, .linked(entry))
    }
}
