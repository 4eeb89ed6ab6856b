import HostSystem
package import ViperKit

extension Catalog {
    /// The maximum number of files to read again. The time for each of them depends on the number of modules.
    private static let longestList = 32

    /// Reads only a few files of the root again, instead of all manifests and the states of all libraries.
    ///
    /// - Parameter files: Paths in the root, such as `Plugins/libHello.so`. Files that cannot belong to a module are
    ///   ignored.
    /// - Returns: The catalog, and the manifest files of the modules that the files belong to. Nil if the whole root
    ///   must be read: there are many files, or another file may now describe a module, because a file is new, missing
    ///   or invalid, or was invalid, or names another module or library than before. Also nil if a file has several
    ///   names or no name any more, because a change is reported under only one name.
    /// - Throws: The same errors as ``init(reading:)``.
    package func rereading(
        _ files: Set<String>, in root: Root
    ) throws(ViperError) -> (catalog: Catalog, modules: Set<String>)? {
        if files.count > Self.longestList { return nil }
        let folders = try root.open("Manifests", "Plugins")
        var (catalog, modules) = (self, Set<String>())
        for file in files {
            let names = (manifest: Self.name(of: file, in: "Manifests/"), library: Self.name(of: file, in: "Plugins/"))
            if names.manifest == nil, names.library == nil { continue }
            if linkCount(of: "\(root.path)/\(file)") != 1 { return nil }
            let manifestName = names.manifest.flatMap { $0.hasSuffix(".json") ? $0 : nil }
            let libraryName = names.library.flatMap { $0.hasSuffix(".so") ? $0 : nil }
            if manifestName?.hasSuffix(".schema.json") ?? (libraryName == nil) { continue }
            let users = libraryName.map { name in entries.filter { $0.isListed && $0.names(library: name) } } ?? []
            if !users.isEmpty {
                modules.formUnion(users.map(\.file))
                continue
            }
            guard let place = entries.firstIndex(where: { $0.file == file }) else { return nil }
            let newer =
                if let manifestName {
                    folders[0].map { CatalogEntry(manifest: manifestName, in: $0) }
                } else {
                    folders[1].flatMap { CatalogEntry(packedIn: libraryName ?? "", in: $0) }
                }
            guard let newer, entries[place].describesTheSame(as: newer) else { return nil }
            catalog.entries[place] = newer
            modules.insert(file)
        }
        return (catalog, modules)
    }

    /// Returns the name of a visible file in a folder. Returns nil if the file is hidden or elsewhere.
    private static func name(of file: String, in folder: String) -> String? {
        guard file.utf8.starts(with: folder.utf8) else { return nil }
        let name = String(Substring(file.utf8.dropFirst(folder.utf8.count)))
        return name.hasPrefix(".") || pathNames(name).count != 1 ? nil : name
    }
}

extension CatalogEntry {
    /// True if the manifest is a file in `Manifests`.
    fileprivate var isListed: Bool { file.hasPrefix("Manifests/") }

    fileprivate func names(library: String) -> Bool { (try? manifest.get())?.library == library }

    fileprivate func describesTheSame(as newer: CatalogEntry) -> Bool {
        guard let old = try? manifest.get(), let new = try? newer.manifest.get() else { return false }
        return old.name == new.name && old.library == new.library
    }
}
