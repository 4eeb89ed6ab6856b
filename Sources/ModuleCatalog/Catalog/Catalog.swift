package import FoundationEssentials
import HostSystem
package import ViperKit

/// The modules in a root's `Manifests/` and `Plugins/` folders. The catalog is created without running their code.
package struct Catalog: Sendable {
    /// The entries, one for each manifest. The entries for files in `Manifests/` come first, followed by the entries
    /// for libraries that contain a manifest. Both groups are sorted by file name.
    package var entries: [CatalogEntry]
    /// The names of the libraries in `Plugins/` that do not belong to an entry.
    package var unreferencedLibraries: [String]
    /// The entries of the modules that the settings disable. They are not in ``entries``.
    package private(set) var disabled: [CatalogEntry] = []

    /// The valid manifests.
    package var manifests: [Manifest] { entries.compactMap { try? $0.manifest.get() } }

    package init(entries: [CatalogEntry], unreferencedLibraries: [String]) {
        (self.entries, self.unreferencedLibraries) = (entries, unreferencedLibraries)
    }

    /// Creates a catalog by reading a root. An invalid manifest becomes an entry with an error and does not affect
    /// other entries.
    ///
    /// - Throws: ``ViperError/Code/folderUnreadable`` or ``ViperError/Code/pathUntrusted`` if the host cannot use one
    ///   of the root's folders. ``ViperError/Code/resourceMissing`` if a system resource is exhausted.
    package init(reading root: Root) throws(ViperError) { try self.init(reading: root, with: nil) }

    /// Creates a catalog by reading a root. If the root has many files, uses an index instead of reading unchanged
    /// files.
    ///
    /// - Throws: The same errors as ``init(reading:)``.
    package init(reading root: Root, with index: CatalogIndex?) throws(ViperError) {
        let folders = try root.open("Manifests", "Plugins")
        let (folder, plugins) = (folders[0], folders[1])
        let names = try folder?.names(ending: ".json").filter { !$0.hasSuffix(".schema.json") } ?? []
        let libraries = try plugins?.names(ending: ".so") ?? []
        let isIndexed = names.count + libraries.count > CatalogIndex.threshold
        let index = isIndexed && folder?.isLocal ?? true && plugins?.isLocal ?? true ? index : nil
        index?.open()
        let listed = names.compactMap { name in
            folder.flatMap { folder in
                CatalogEntry("Manifests/\(name)", name, in: folder, index) { CatalogEntry(manifest: name, in: folder) }
            }
        }
        let manifests = listed.compactMap { try? $0.manifest.get() }
        let mentioned = Set(manifests.map(\.library))
        let others = libraries.filter { !mentioned.contains($0) }
        // A file in Manifests takes precedence over the manifest in a library. This also applies to an invalid file
        // that is named after the module.
        let described = Set(manifests.map(\.name) + names.map { $0.dropLast(".json".count) }.map(String.init))
        let allPacked = others.compactMap { name in
            plugins.flatMap { plugins in
                CatalogEntry("Plugins/\(name)", name, in: plugins, index) { CatalogEntry(packedIn: name, in: plugins) }
            }
        }
        let packed = allPacked.filter { entry in
            guard let name = (try? entry.manifest.get())?.name else { return true }
            return !described.contains(name)
        }
        index?.logMisses()
        entries = Self.distinct(listed) + Self.distinct(packed)
        // A library belongs to an invalid file that hides its manifest.
        let invalid = Set(listed.filter { (try? $0.manifest.get()) == nil }.map(\.file))
        let hidden = allPacked.filter { entry in
            (try? entry.manifest.get()).map { invalid.contains("Manifests/\($0.name).json") } ?? false
        }
        let files = Set((packed + hidden).map(\.file))
        unreferencedLibraries = others.filter { !files.contains("Plugins/\($0)") }
    }

    /// Returns the catalog without some modules, which are then in ``disabled``.
    package func without(_ modules: Set<String>) -> Catalog {
        if modules.isEmpty { return self }
        var catalog = self
        let isDisabled: (CatalogEntry) -> Bool = { entry in
            (try? entry.manifest.get()).map { modules.contains($0.name) } ?? false
        }
        catalog.disabled = entries.filter(isDisabled)
        catalog.entries.removeAll(where: isDisabled)
        return catalog
    }

    /// Returns the entries, with an error in place of entries whose files have equal names. Swift compares characters,
    /// so names are equal if they differ only in their Unicode form.
    private static func distinct(_ entries: [CatalogEntry]) -> [CatalogEntry] {
        var seen: Set<String> = []
        let repeated = Set(entries.filter { !seen.insert($0.file).inserted }.map(\.file))
        if repeated.isEmpty { return entries }
        let errors = repeated.sorted().map { file in
            CatalogEntry(
                file: file,
                failure: ViperError(
                    .manifestInvalid, operation: "cannot use manifest", subject: file,
                    cause: "another file has the same name in another Unicode form", fix: "rename one of them"))
        }
        return entries.filter { !repeated.contains($0.file) } + errors
    }
}

extension Root {
    /// Returns the entry of a library in `Plugins` that contains its manifest. Nil if there is none.
    ///
    /// - Parameter file: The path of the library, relative to the root.
    package func entry(of file: String) -> CatalogEntry? {
        guard let name = pathNames(file).last, file == "Plugins/\(name)" else { return nil }
        return (try? open("Plugins")[0]).flatMap { $0.flatMap { CatalogEntry(packedIn: name, in: $0) } }
    }
}

/// A module in the catalog, or an error if its manifest is invalid.
package struct CatalogEntry: Sendable {
    /// The path of the file that contains the manifest, relative to the root, such as `Manifests/company-list.json`. If
    /// a library contains the manifest, this is the path of the library, such as `Plugins/libHello.so`. The path
    /// identifies the entry.
    package let file: String
    /// The manifest, or the error if the manifest is invalid or cannot be read.
    package let manifest: Result<Manifest, ViperError>

    /// True if a library contains the manifest.
    package var isPacked: Bool { file.hasPrefix("Plugins/") }

    /// Creates an entry from an index if the file is unchanged. Otherwise, calls a closure and adds the entry that it
    /// returns to the index.
    ///
    /// - Parameters:
    ///   - file: The path of the file in the root.
    ///   - name: The name of the file in the folder.
    fileprivate init?(
        _ file: String, _ name: String, in folder: OpenFolder, _ index: CatalogIndex?, reading: () -> CatalogEntry?
    ) {
        let identity = index?.identify(name, in: folder)
        if let manifest = index?.manifest(from: file, identity) {
            self.init(file: file, manifest: manifest)
            return
        }
        guard let entry = reading() else { return nil }
        if let identity, let manifest = try? entry.manifest.get() { index?.add(manifest, from: file, identity) }
        self = entry
    }

    /// Creates an entry by reading a file in `Manifests`.
    ///
    /// - Parameters:
    ///   - name: The manifest's file name.
    ///   - folder: The folder `Manifests`.
    init(manifest name: String, in folder: OpenFolder) {
        let file = "Manifests/\(name)"
        let text = Result { () throws(ViperError) in
            try Manifest.text(named: file) { () throws(RegularFile.Failure) in try folder.listedFile(name) }
        }
        self.init(file: file, text: text)
    }

    package init(file: String, text: Result<Data, ViperError>) {
        self.file = file
        manifest = Result { () throws(ViperError) in try Manifest(text: try text.get(), named: file) }
    }

    /// Creates an entry for a module whose manifest cannot be used.
    package init(file: String, failure: ViperError) { (self.file, manifest) = (file, .failure(failure)) }

    /// Creates an entry with a manifest that is already decoded.
    package init(file: String, manifest: Manifest) {
        (self.file, self.manifest) = (file, .success(manifest))
    }

    /// Creates an entry from the manifest in a library. Returns nil if the library contains no manifest. If another
    /// process is still writing the library, the entry has an error.
    init?(packedIn library: String, in folder: OpenFolder) {
        let (file, path) = ("Plugins/\(library)", "\(folder.path)/\(library)")
        let found: Result<ArraySlice<UInt8>?, ElfFile.Problem>
        do {
            found = try folder.listedFile(library).whileFinished { file in
                Result { () throws(ElfFile.Problem) in try EmbeddedManifest.text(in: file) }
            }
        } catch {
            // The entry has an error even if the library contains no manifest, to tell its owner why the library is not
            // used.
            let untrusted = error.refusal("cannot use library", file)
            let misnamed =
                error.isMisnamed
                ? ViperError(
                    .libraryInvalid, operation: "cannot use library", subject: file, cause: error.cause,
                    fix: "rename it") : nil
            guard let reason = error.isUnfinished ? .unfinished(library, path, error) : misnamed ?? untrusted else {
                return nil
            }
            (self.file, manifest) = (file, .failure(reason))
            return
        }
        self.file = file
        let text: ArraySlice<UInt8>
        do throws(ElfFile.Problem) {
            guard let section = try found.get() else { return nil }
            text = section
        } catch {
            // The missing part of an incomplete library may contain a manifest.
            manifest = .failure(
                ViperError(
                    .libraryInvalid, operation: "cannot use library", subject: file, cause: error.cause,
                    fix: "copy the complete library again"))
            return
        }
        manifest = Result { () throws(ViperError) in
            let manifest = try Manifest(text: Data(text), named: file)
            guard manifest.library == library else {
                throw ViperError(
                    .manifestInvalid, operation: "cannot use manifest", subject: file,
                    cause: "it names another library, \"\(manifest.library)\"",
                    fix: "rename the library, or pack a manifest that names it")
            }
            return manifest
        }
    }

    /// Creates an entry for a module that is linked into this process.
    package init(manifestPath: String) {
        file = manifestPath
        manifest = Result { () throws(ViperError) in try Manifest(readingFile: manifestPath, named: manifestPath) }
    }
}
