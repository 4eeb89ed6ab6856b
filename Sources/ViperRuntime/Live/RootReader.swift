import HostSystem
import ModuleCatalog
import ModuleRuntime
import Synchronization
import ViperKit

/// A reader of the versions of all modules in a root.
struct RootReader: Sendable {
    let root: Root
    let index: CatalogIndex?
    let loader: Loader

    /// The content of a root at one time.
    struct Content: Sendable {
        /// The modules' files, keyed by manifest file.
        var modules: [String: ModuleFiles]
        /// The libraries that no manifest refers to.
        var unreferencedLibraries: [String]
        /// The identity of the lock. Nil if the root has none.
        var lock: FileIdentity?
    }

    /// Reads the root. This method blocks.
    ///
    /// - Parameter known: The modules in the registry.
    /// - Throws: An error if a folder in the root cannot be read. Its modules then do not count as removed.
    func read(knowing known: RegistrySnapshot) throws(ViperError) -> Content {
        // Read first: a change during the reading is then noticed by the next one.
        let lock = loader.lock
        let catalog = try Catalog(reading: root, with: index)
        loader.note(catalog.manifests)
        var content = Content(modules: [:], unreferencedLibraries: catalog.unreferencedLibraries, lock: lock)
        for entry in catalog.entries { content.modules[entry.file] = files(of: entry) }
        for record in known.modules where record.state != .retired && content.modules[record.file] == nil {
            guard let error = loss(of: record, in: catalog) else { continue }
            content.modules[record.file] = ModuleFiles(CatalogEntry(file: record.file, failure: error))
            content.unreferencedLibraries.removeAll { "Plugins/\($0)" == record.file }
        }
        return content
    }

    /// Returns the version of a module's files. This method blocks.
    func files(of entry: CatalogEntry) -> ModuleFiles {
        let name = (try? entry.manifest.get())?.library
        let identity = name.flatMap {
            FileIdentity(of: "\(root.plugins)/\($0)") ?? FileIdentity(of: "\(root.executableFolder)/\($0)")
        }
        // Each write to a library changes its version, even while its manifest cannot be read.
        let own = entry.file.hasSuffix(".so") ? FileIdentity(of: "\(root.path)/\(entry.file)") : nil
        return ModuleFiles(entry, library: identity ?? own)
    }

    /// Returns an error if a library exists but no longer contains the manifest of its module, or if an invalid manifest in
    /// `Manifests/` hides it. Returns nil if the module was removed.
    private func loss(of record: ModuleRecord, in catalog: Catalog) -> ViperError? {
        guard record.files.entry.isPacked else { return nil }
        let manifest = "Manifests/\(record.name).json"
        if case .failure(let failure) = catalog.entries.first(where: { $0.file == manifest })?.manifest {
            return failure
        }
        guard catalog.unreferencedLibraries.contains(where: { "Plugins/\($0)" == record.file }),
            isRegularFile("\(root.path)/\(record.file)")
        else { return nil }
        return ViperError(
            .libraryInvalid, operation: "cannot use library", subject: record.file,
            cause: "it no longer contains a manifest",
            fix: "copy the complete library; to install another one, remove this one first")
    }
}
