public import HostDriver

/// A copy of the host's executable and ViperKit in a folder without bundled modules and without a root.
public final class BareHost: Sendable {
    private let scratch: ScratchFolder

    /// The folder that holds the executable and the library.
    public var folder: String { scratch.path }
    public var executable: String { scratch.path + "/host" }

    /// Creates the copy.
    ///
    /// - Parameter viperKit: The path of the copied `libViperKit.so`.
    public init(viperKit: String = Products.folder + "/libViperKit.so") async throws {
        scratch = try ScratchFolder()
        // Copied by another process. A child that another test starts would inherit this process's descriptor, and a
        // file that is open for writing cannot be executed.
        let copy = try await ChildProcess("cp", [Products.host, viperKit, scratch.path]).run()
        if copy.ending != .code(0) { throw ChildFailure("cp failed: \(copy)") }
    }

    public func run(
        _ arguments: [String], environment: [String: String] = [:], workingFolder: String = "/"
    ) async throws -> ChildResult {
        var child = ChildProcess(executable, arguments, environment: environment)
        child.workingFolder = workingFolder
        return try await child.run()
    }
}
