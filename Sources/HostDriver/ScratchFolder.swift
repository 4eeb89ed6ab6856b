public import Foundation

/// A new folder for one test, removed in `deinit`. Its path has no symbolic links.
public final class ScratchFolder: Sendable {
    /// The absolute path, without a slash at the end.
    public let path: String

    /// Creates the folder in the system's temporary folder.
    public init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "viper-tests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.resolvingSymlinksInPath().path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file, creates its parent folders, and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String { try write(Data(text.utf8), to: name) }

    /// Writes a file, creates its parent folders, and returns its path.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> String {
        let file = URL(filePath: path).appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try ChildProcess.whileNoneStarts { try data.write(to: file) }
        try waitForWriters(of: file.path)
        return file.path
    }

    /// Writes an executable file, creates its parent folders, and returns its path.
    ///
    /// Another process writes the file. A child that a test starts would inherit this process's descriptor, and a
    /// file that is open for writing cannot be executed.
    @discardableResult
    public func write(program text: String, to name: String) async throws -> String {
        let script = try write(text, to: name + ".source")
        let program = "\(path)/\(name)"
        let result = try await ChildProcess("install", ["-m", "755", script, program]).run()
        guard result.ending == .code(0) else { throw ChildFailure("cannot write \(program): \(result)") }
        return program
    }
}
