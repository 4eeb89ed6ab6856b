import FoundationEssentials
import ViperKit
import ViperRuntime

/// What a module is compiled from: a package, or a folder with Swift files.
struct ModuleSource {
    /// As it was named on the command line, since the compiler names files so.
    let folder: String
    let isPackage: Bool
    let manifestFile: String
    let manifest: Manifest

    /// The Swift module's name, and that of a package's product: `Hello` for `libHello.so`.
    let name: String

    /// - Throws: `source-missing`, or `manifest-invalid` with what is wrong with the manifest.
    init(in folder: String, root: Root) throws(ViperError) {
        guard isFolder(folder) else { throw Self.missing(folder) }
        self.folder = folder.hasPrefix("-") ? "./\(folder)" : folder
        isPackage = FileManager.default.fileExists(atPath: "\(folder)/Package.swift")
        manifestFile = try Self.manifestFile(of: self.folder, isPackage, root)
        manifest = try Manifest(readingFile: manifestFile, named: manifestFile)
        name = try Self.name(from: manifest.library, manifestFile)
    }

    /// What is said of a folder that is not there.
    static func missing(_ folder: String) -> ViperError {
        ViperError(
            .sourceMissing, "cannot build", folder, cause: "there is no such folder",
            mend: "name a package, or a folder with Swift files and a manifest")
    }

    /// All Swift files below the folder; none of a hidden folder.
    func swiftFiles() throws(ViperError) -> [String] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        let files = names.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".") && !$0.contains("/.") }.sorted()
        if files.isEmpty {
            throw ViperError(
                .sourceMissing, "cannot build", folder, cause: "there is no Swift file in it",
                mend: "name a package, or a folder with Swift files and a manifest")
        }
        return files.map { "\(folder)/\($0)" }
    }

    /// The folder of the module's resources, if its manifest names one: in the module's folder, under its last name.
    func resources() throws(ViperError) -> String? {
        guard let name = manifest.resources?.split(separator: "/").last else { return nil }
        let resources = "\(folder)/\(name)"
        if isFolder(resources) { return resources }
        throw ViperError(
            .sourceMissing, "cannot build", folder, cause: "its manifest names resources, and it has no folder \(name)",
            notes: [.init("manifest", manifestFile)], mend: "make the folder, or remove \"resources\" from the manifest"
        )
    }

    private static func manifestFile(
        of folder: String, _ isPackage: Bool, _ root: Root
    ) throws(ViperError) -> String {
        let place = isPackage ? "\(folder)/Manifests" : folder
        var files = try fileNames(in: place, ending: ".json").map { "\(place)/\($0)" }
            .filter { !$0.hasSuffix(".schema.json") && mayBeManifest($0) }
        var places = [place]
        if files.isEmpty, !isPackage {
            let name = resolved(folder)?.split(separator: "/").last ?? ""
            places.append("\(root.manifests), for a library lib\(name).so")
            files = try fileNames(in: root.manifests, ending: ".json").map { "\(root.manifests)/\($0)" }
                .filter { (try? Manifest(readingFile: $0, named: $0))?.library == "lib\(name).so" }
        }
        if let file = files.first, files.count == 1 { return file }
        throw ViperError(
            .sourceMissing, "cannot build", folder,
            cause: files.isEmpty ? "it has no manifest" : "it has \(files.count) manifests",
            notes: files.isEmpty ? places.map { .init("looked in", $0) } : files.map { .init("manifest", $0) },
            mend: files.isEmpty ? "write one; host new shows how it looks" : "leave one")
    }

    /// Whether a file has a manifest's shape. One that is no JSON at all is taken for a manifest too, so that what is wrong with
    /// it is told.
    private static func mayBeManifest(_ file: String) -> Bool {
        struct Shape: Decodable {
            var library: String?
        }
        guard let text = FileManager.default.contents(atPath: file) else { return true }
        do { return try JSONDecoder().decode(Shape.self, from: text).library != nil } catch {
            if case DecodingError.typeMismatch(_, let context) = error { return !context.codingPath.isEmpty }
            return true
        }
    }

    private static func name(from library: String, _ manifestFile: String) throws(ViperError) -> String {
        let name = library.hasPrefix("lib") ? library.dropFirst("lib".count).dropLast(".so".count) : ""
        if name.first?.isNumber == false, name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
            return String(name)
        }
        throw ViperError(
            .manifestInvalid, "cannot use manifest", manifestFile,
            cause: "its library \"\(library)\" is not called after a Swift module",
            mend: "write \"library\": \"libNAME.so\", with the module's NAME")
    }
}
