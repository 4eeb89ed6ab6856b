import Foundation
import TestSupport
import ViperKit

@testable import ViperRuntime

/// The folder of manifests beside the tests, and the repository's own schema.
enum ManifestFiles {
    /// The folder with valid manifests, invalid ones, and ones that only the decoder can refuse.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Manifests").path
    static let schema = URL(filePath: folder).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Manifests/module.schema.json").path

    /// Returns the names in one of the folders, without `.json`, sorted.
    static func names(_ kind: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(kind)")
            .filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    static func entry(_ kind: String, _ name: String) -> CatalogEntry {
        let (file, path) = ("\(name).json", "\(folder)/\(kind)/\(name).json")
        return CatalogEntry(
            file: file, text: Result { () throws(ViperError) in try Manifest.text(ofFile: path, named: file) })
    }
}

/// Returns the text of a valid manifest, for tests that do not check its format.
func manifestText(
    _ name: String, sdk: String = "1.0", routes: [String] = [], requires: [String] = [], provides: [String] = [],
    resources: String? = nil
) -> String {
    func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }
    let routes = routes.map { "{\"name\": \"\($0)\", \"summary\": \"Of \(name)\"}" }.joined(separator: ", ")
    let resources = resources.map { ", \"resources\": \"\($0)\"" } ?? ""
    return """
        {"name": "\(name)", "version": "1.0.0", "library": "lib\(name).so", "sdk": "\(sdk)", "routes": [\(routes)],
         "requires": [\(list(requires))], "provides": [\(list(provides))]\(resources)}
        """
}

/// Returns the catalog entry of a manifest with this text.
func catalogEntry(text: String, file: String) throws -> CatalogEntry {
    CatalogEntry(file: "Manifests/\(file)", text: .success(Data(text.utf8)))
}

/// Returns the catalog entry of a valid manifest, in a file named after the module.
func catalogEntry(
    _ name: String, sdk: String = "1.0", routes: [String] = [], requires: [String] = [], provides: [String] = [],
    file: String? = nil
) throws -> CatalogEntry {
    let text = manifestText(name, sdk: sdk, routes: routes, requires: requires, provides: provides)
    return try catalogEntry(text: text, file: file ?? "\(name).json")
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
