import TestSupport

enum Tool {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a program that is found in `PATH`, and returns its output.
    ///
    /// - Throws: ``Failure`` with the whole output, if the exit code is not 0.
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await ChildProcess(program, arguments).run()
        if result.ending != .code(0) { throw Failure(description: "\(program): \(result)") }
        return result.text
    }
}
