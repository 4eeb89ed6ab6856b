import TestSupport

/// A program of the machine that a test needs.
enum Tool {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// Runs a program that is searched for in `PATH`, and returns what it prints.
    ///
    /// - Throws: ``Failure`` with all that it said, if it does not end with 0.
    static func run(_ program: String, _ arguments: [String]) async throws -> String {
        let result = try await ChildProcess(program, arguments).run()
        if result.ending != .code(0) { throw Failure(description: "\(program): \(result)") }
        return result.text
    }
}
