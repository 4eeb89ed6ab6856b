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

    /// Changes a stored value in one step, between whose read and write no other generation or process changes it.
    ///
    /// - Parameter change: A closure that returns the new value. Its parameter is the stored value, or nil if there is none
    ///   that can be read.
    /// - Returns: The new value.
    /// - Throws: ``ViperError/Code/storeFailed`` if the value cannot be written. The earlier value is then kept.
    func change<Value: Codable & Sendable>(
        _ name: String, _ change: @Sendable (Value?) -> Value
    ) async throws(ViperError) -> Value
}

/// JSON files in the module's state folder. Only the owner can read them (mode 0600). They are read and written on a private queue, because these calls block.
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
            throw failure("cannot read file", name, Self.cause(of: error))
        }
        return try json.decode(type, from: Array(content), named: name)
    }

    func write<Value: Encodable & Sendable>(_ value: Value, to name: String) throws(ViperError) {
        let content = Data(try json.encode(value))
        // Other generations and processes may write at the same time.
        let new = "\(name).\(UUID().uuidString)"
        func systemFailure() -> ViperError {
            let cause = String(cString: strerror(errno))
            unlink(path(new))
            return failure("cannot write file", name, cause)
        }
        // Foundation would use the mode that the umask allows.
        let file = open(path(new), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if file < 0 { throw systemFailure() }
        defer { close(file) }
        do { try content.write(to: url(new)) } catch {
            unlink(path(new))
            throw failure("cannot write file", name, Self.cause(of: error))
        }
        if fsync(file) != 0 || rename(path(new), path(name)) != 0 { throw systemFailure() }
    }

    func change<Value: Codable & Sendable>(
        _ name: String, _ change: @Sendable (Value?) -> Value
    ) throws(ViperError) -> Value {
        let lock = open(path(".lock"), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        defer { if lock >= 0 { close(lock) } }
        // Waits only for the short steps of other generations and processes.
        while lock < 0 || flock(lock, LOCK_EX) != 0 {
            if lock < 0 || errno != EINTR {
                throw failure("cannot lock file", ".lock", String(cString: strerror(errno)))
            }
        }
        // Closing the descriptor does not unlock the file while a child that has just been started has a copy of it.
        defer { flock(lock, LOCK_UN) }
        let value = change(try? read(Value.self, from: name))
        try write(value, to: name)
        return value
    }

    private func path(_ name: String) -> String { "\(folder.path)/\(name)" }
    private func url(_ name: String) -> URL { URL(filePath: path(name)) }

    private static func cause(of error: any Error) -> String {
        let number = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
        return number.map { String(cString: strerror($0)) } ?? "\(error)"
    }

    private func failure(_ operation: String, _ name: String, _ cause: String) -> ViperError {
        ViperError(
            .storeFailed, operation: operation, subject: path(name), cause: cause,
            fix: "give --state a folder with free space that this user can read and write")
    }
}
