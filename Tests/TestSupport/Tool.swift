import HostDriver

package enum Tool {
    package struct Failure: Error, CustomStringConvertible {
        package var description: String

        package init(description: String) { self.description = description }
    }

    /// Finds a program in `PATH`, runs it, and returns its output.
    ///
    /// - Throws: ``Failure`` with the whole output if the exit code is not 0.
    package static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await ChildProcess(program, arguments).run()
        if result.ending != .code(0) { throw Failure(description: "\(program): \(result)") }
        return result.text
    }
}
