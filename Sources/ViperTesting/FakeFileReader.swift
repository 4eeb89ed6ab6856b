import FoundationEssentials
import HostSystem
public import ViperKit

/// A file reader with the files of a test. It decodes files and throws errors as the host's own reader does.
public struct FakeFileReader: FileReader {
    private let files: [String: Result<String, ViperError>]

    /// Creates a reader with the given files, as contents by file name.
    public init(_ files: [String: String]) { self.files = files.mapValues(Result.success) }

    /// Creates a reader with one file, `name`. Reading it throws `error`.
    public init(failing name: String, with error: ViperError) { files = [name: .failure(error)] }

    public func read(_ name: String) async throws(ViperError) -> [UInt8] { Array(try text(name).utf8) }

    public func decode<Value: Decodable & Sendable>(
        _ type: Value.Type, from name: String
    ) async throws(ViperError) -> Value {
        try decodeFile(type, named: name, from: Data(try text(name).utf8))
    }

    private func text(_ name: String) throws(ViperError) -> String {
        if let file = files[name] { return try file.get() }
        throw ViperError(.fileMissing, "cannot read file", name, cause: "the test provides no such file")
    }
}
