public import HostDriver

/// A copy of the host's executable and of ViperKit, in a folder that contains no bundled modules and no root.
public final class BareHost: Sendable {
    private let scratch: ScratchFolder

    /// The folder that holds the executable and the library.
    public var folder: String { scratch.path }
    public var executable: String { scratch.path + "/host" }

    /// Creates the copy.
    ///
    /// - Parameter viperKit: The path of the `libViperKit.so` to copy.
    public init(viperKit: String = Products.folder + "/libViperKit.so") async throws {
        scratch = try ScratchFolder()
        // Another process copies the files. A child that another test starts could inherit a descriptor from this
        // process, and a file that is open for writing cannot be executed.
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
