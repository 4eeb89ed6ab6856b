import FoundationEssentials
import HostSystem
import ModuleCatalog
import ViperKit

/// A module's source: a package, or a folder with Swift files.
struct ModuleSource {
    /// The path of the source, as given on the command line. The compiler prints this path in its messages.
    let folder: String
    let isPackage: Bool
    let manifestFile: String
    let manifest: Manifest

    /// The name of the Swift module, which is also the name of a package's product. For `libHello.so`, the name is
    /// `Hello`.
    let name: String

    /// Creates a module source by finding and reading its manifest.
    ///
    /// - Throws: `source-missing` if the folder or its manifest is missing. `manifest-invalid` if the manifest is
    ///   invalid.
    init(in folder: String, root: Root) throws(ViperError) {
        guard isFolder(folder) else { throw Self.missing(folder) }
        self.folder = folder.hasPrefix("-") ? "./\(folder)" : folder
        isPackage = FileManager.default.fileExists(atPath: "\(folder)/Package.swift")
        manifestFile = try Self.manifestFile(of: self.folder, isPackage, root)
        manifest = try Manifest(readingFile: manifestFile, named: manifestFile)
        name = try Self.name(from: manifest.library, manifestFile)
        if manifest.kind == .contract { try checkContract() }
    }

    /// Throws an error if a contract is not a folder with Swift files, which is all that an interface can describe.
    private func checkContract() throws(ViperError) {
        let other = [".c", ".h", "module.modulemap"].compactMap { files(ending: $0).first }.first
        guard isPackage || other != nil else { return }
        throw ViperError(
            .sourceInvalid, operation: "cannot build", subject: folder,
            cause: isPackage ? "a contract cannot be a package" : "a contract cannot contain \(other ?? "C files")",
            fix: "use a folder with Swift files; host new NAME --contract creates one")
    }

    static func missing(_ folder: String) -> ViperError {
        ViperError(
            .sourceMissing, operation: "cannot build", subject: folder,
            cause: FileManager.default.fileExists(atPath: folder) ? "it is not a folder" : "the folder does not exist",
            fix: "give a package, or a folder with Swift files and a manifest")
    }

    /// Returns the sorted paths of the files in this folder and its subfolders that have this suffix. Hidden files and
    /// folders are skipped.
    func files(ending suffix: String) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(suffix) && !$0.hasPrefix(".") && !$0.contains("/.") }
        return files.sorted().map { "\(folder)/\($0)" }
    }

    func swiftFiles() throws(ViperError) -> [String] {
        let files = files(ending: ".swift")
        if files.isEmpty {
            throw ViperError(
                .sourceMissing, operation: "cannot build", subject: folder, cause: "it contains no Swift files",
                fix: "give a package, or a folder with Swift files and a manifest")
        }
        return files
    }

    /// Returns the folders that contain a `module.modulemap`. Swift imports C code through these files.
    func moduleMapFolders() -> [String] {
        let name = "/module.modulemap"
        let maps = files(ending: String(name.dropFirst())).filter { $0.hasSuffix(name) }
        return maps.map { String($0.dropLast(name.count)) }
    }

    func checkLanguages() throws(ViperError) {
        for suffix in [".cpp", ".cc", ".cxx", ".c++", ".C", ".m", ".mm", ".s", ".S"] {
            guard let file = files(ending: suffix).first else { continue }
            throw ViperError(
                .sourceInvalid, operation: "cannot build", subject: folder, cause: "\(file) is neither Swift nor C",
                fix:
                    "use a package with this file in a separate target; host new NAME --package DIR creates one")
        }
    }

    /// Returns the folder that contains the module's resources, or nil if the manifest declares no resources. The
    /// folder is inside the source folder. Its name is the last component of the resource path in the manifest.
    ///
    /// - Throws: `source-missing` if the folder does not exist.
    func resources() throws(ViperError) -> String? {
        guard let name = manifest.resources?.split(separator: "/").last else { return nil }
        let resources = "\(folder)/\(name)"
        if isFolder(resources) { return resources }
        throw ViperError(
            .sourceMissing, operation: "cannot build", subject: folder,
            cause: "its manifest declares resources, but the folder \(name) is missing",
            notes: [.init("manifest", manifestFile)],
            fix: "create the folder, or remove \"resources\" from the manifest"
        )
    }

    private static func manifestFile(
        of folder: String, _ isPackage: Bool, _ root: Root
    ) throws(ViperError) -> String {
        let place = isPackage ? "\(folder)/Manifests" : folder
        var places = [place]
        let drafts = try drafts(in: place)
        var files = manifests(among: drafts)
        if files.isEmpty, !isPackage {
            let library = "lib\(resolved(folder)?.split(separator: "/").last ?? "").so"
            places.append("\(root.manifests), for a library \(library)")
            files = manifests(among: try Self.drafts(in: root.manifests).filter { $0.mayName(library) })
        }
        if let file = files.first, files.count == 1 { return file }
        let incomplete = drafts.filter(\.lacksLibrary).map(\.file)
        if files.isEmpty {
            throw ViperError(
                .sourceMissing, operation: "cannot build", subject: folder, cause: "it has no manifest",
                notes: places.map { .init("looked in", $0) } + incomplete.map { .init("no \"library\" in", $0) },
                fix: incomplete.isEmpty
                    ? "add a manifest; host new creates an example"
                    : "add \"library\" to the manifest, such as \"library\": \"libHello.so\"")
        }
        throw ViperError(
            .sourceMissing, operation: "cannot build", subject: folder,
            cause: "it has \(files.count) manifests, expected 1", notes: files.map { .init("manifest", $0) },
            fix: "keep only one of them")
    }

    private static func drafts(in folder: String) throws(ViperError) -> [ManifestDraft] {
        try fileNames(in: folder, ending: ".json").filter { !$0.hasSuffix(".schema.json") }
            .map { ManifestDraft(readingFile: "\(folder)/\($0)") }
    }

    /// Returns the files that are manifests. If there are none, returns the first broken file, so that the caller can
    /// report its error.
    private static func manifests(among drafts: [ManifestDraft]) -> [String] {
        let manifests = drafts.filter(\.isManifest)
        return (manifests.isEmpty ? Array(drafts.filter(\.isBroken).prefix(1)) : manifests).map(\.file)
    }

    private static func name(from library: String, _ manifestFile: String) throws(ViperError) -> String {
        let name = library.hasPrefix("lib") ? library.dropFirst("lib".count).dropLast(".so".count) : ""
        if name.first?.isNumber == false, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
            return String(name)
        }
        throw ViperError(
            .manifestInvalid, operation: "cannot use manifest", subject: manifestFile,
            cause: "its library is \"\(library)\", expected \"libNAME.so\" with the name of a Swift module",
            fix: "set \"library\" to \"libNAME.so\", where NAME is the name of the Swift module")
    }
}
