public import Foundation
import Synchronization

/// A new folder for one test. It is removed in `deinit`, and in any case after this process has ended.
public final class ScratchFolder: Sendable {
    /// The absolute path, without symbolic links and without a slash at the end.
    public let path: String

    private static let count = Atomic(0)

    /// Creates a folder in this process's folder, which is in the system's temporary folder.
    public init() throws {
        let number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
        path = "\(try RunFolder.shared.get().path)/\(number)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a string to a file, creates missing parent folders, and returns the file's path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes data to a file, creates missing parent folders, and returns the file's path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try ChildProcess.spawning.withLock { _ in try data.write(to: file) }
        try waitForWriters(of: file.path)
        return file.path
    }

    /// Writes an executable file, creates missing parent folders, and returns the file's path.
    ///
    /// Another process writes the file. If this process wrote it, a child process that starts at that moment could
    /// inherit the descriptor. A file that is open for writing cannot be executed.
    @discardableResult
    public func write(program text: String, to name: String) async throws -> String {
        let script = try write(text, to: name + ".source")
        let program = "\(path)/\(name)"
        let result = try await ChildProcess("install", ["-m", "755", script, program]).run()
        guard result.ending == .code(0) else { throw ChildFailure("cannot write \(program): \(result)") }
        return program
    }
}
