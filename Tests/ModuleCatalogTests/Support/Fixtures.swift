import Foundation
import ViperKit

@testable import ModuleCatalog

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
