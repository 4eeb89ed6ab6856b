import FoundationEssentials
import HostSystem
public import ViperKit

/// A file reader for files that a test defines. It decodes files and throws errors as the host's file reader does.
public struct FakeFileReader: FileReader {
    private let files: [String: Result<String, ViperError>]

    /// Creates a reader with the given files.
    ///
    /// - Parameter files: The content of each file, by file name.
    public init(_ files: [String: String]) { self.files = files.mapValues(Result.success) }

    /// Creates a reader with a single file that cannot be read.
    ///
    /// - Parameters:
    ///   - name: The name of the file.
    ///   - error: The error that reading the file throws.
    public init(failing name: String, with error: ViperError) { files = [name: .failure(error)] }

    public func read(_ name: String) async throws(ViperError) -> [UInt8] { Array(try text(name).utf8) }

    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from name: String
    ) async throws(ViperError) -> Value {
        try decodeFile(type, named: name, from: Data(try text(name).utf8))
    }

    private func text(_ name: String) throws(ViperError) -> String {
        if let file = files[name] { return try file.get() }
        throw ViperError(
            .fileMissing, operation: "cannot read file", subject: name, cause: "the test provides no such file")
    }
}
