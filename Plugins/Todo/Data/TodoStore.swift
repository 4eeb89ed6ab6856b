import FoundationEssentials
import Glibc
import ViperKit

/// The module's stored values. The roles use this protocol, so they do not depend on files.
protocol TodoStoring: Sendable {
    /// Returns a stored value, or nil if there is none.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the value cannot be read; ``ViperError/Code/jsonInvalid`` if it
    ///   cannot be decoded.
    func read<Value: Decodable & Sendable>(_ type: Value.Type, from name: String) async throws(ViperError) -> Value?

    /// Stores a value in place of an earlier one.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the value cannot be written. The earlier value is then kept.
    func write<Value: Encodable & Sendable>(_ value: Value, to name: String) async throws(ViperError)
}

/// JSON files in the module's state folder. They are read and written on a private queue, because these calls block.
actor TodoStore: TodoStoring {
    private let folder: StateFolder
    private let json: any JSONCoder
    private let executor = QueueExecutor("todo")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(folder: StateFolder, json: any JSONCoder) { (self.folder, self.json) = (folder, json) }

    func read<Value: Decodable & Sendable>(_ type: Value.Type, from name: String) throws(ViperError) -> Value? {
        let content: Data
        do { content = try Data(contentsOf: url(name)) } catch {
            if (error as? CocoaError)?.code == .fileReadNoSuchFile { return nil }
            throw failure("cannot read file", name, error)
        }
        return try json.decode(type, from: Array(content), named: name)
    }

    func write<Value: Encodable & Sendable>(_ value: Value, to name: String) throws(ViperError) {
        let content = Data(try json.encode(value))
        do { try content.write(to: url(name), options: .atomic) } catch {
            throw failure("cannot write file", name, error)
        }
    }

    private func url(_ name: String) -> URL { URL(filePath: "\(folder.path)/\(name)") }

    private func failure(_ operation: String, _ name: String, _ error: any Error) -> ViperError {
        let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
        return ViperError(
            .storeFailed, operation: operation, subject: "\(folder.path)/\(name)",
            cause: number.map { String(cString: strerror($0)) } ?? "\(error)",
            fix: "give --state a folder with free space that this user can read and write")
    }
}
