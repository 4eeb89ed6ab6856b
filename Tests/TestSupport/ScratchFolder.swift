public import Foundation

/// A new folder for one test, removed when the value goes. Its path has no symbolic links.
public final class ScratchFolder: Sendable {
    /// Absolute, without a slash at the end.
    public let path: String

    /// Makes the folder below the system's temporary folder.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "viper-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, with the folders on its way, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file, with the folders on its way, and returns its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
        return file.path
    }
}
