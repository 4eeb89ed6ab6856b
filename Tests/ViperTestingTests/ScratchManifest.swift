import Foundation

/// A manifest file that lives as long as the value.
final class ScratchManifest {
    let path: String

    init(_ text: String) {
        path = NSTemporaryDirectory() + "/\(UUID().uuidString).json"
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
