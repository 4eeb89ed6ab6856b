/// The host's executable and ViperKit copied to a folder of their own, without any bundled module and without a root.
public final class BareHost: Sendable {
    private let scratch: ScratchFolder

    /// Where executable and ViperKit are.
    public var folder: String { scratch.path }
    /// The copied executable.
    public var executable: String { scratch.path + "/host" }

    public init() async throws {
        scratch = try ScratchFolder()
        // Not copied by this process: a child that another test starts meanwhile would hold the file open for writing, and
        // no file that is open for writing can be run.
        let files = ["host", "libViperKit.so"].map { "\(Products.folder)/\($0)" }
        let copy = try await ChildProcess("cp", files + [scratch.path]).run()
        if copy.ending != .code(0) { throw ChildFailure("cp failed: \(copy)") }
    }

    /// Runs it.
    public func run(
        _ arguments: [String], environment: [String: String] = [:], workingFolder: String = "/"
    ) async throws -> ChildResult {
        var child = ChildProcess(executable, arguments, environment: environment)
        child.workingFolder = workingFolder
        return try await child.run()
    }
}
