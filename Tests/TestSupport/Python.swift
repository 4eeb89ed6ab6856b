import Foundation
public import HostDriver

/// The Python interpreter that `PATH` refers to. The `python3` in `PATH` can be a script that looks up the interpreter.
/// This lookup uses more processor time than most programs of the tests, so it happens only once per test run.
public enum Python {
    private static let interpreter = Task {
        let path = try await Tool.run("python3", ["-c", "import sys; print(sys.executable)"])
        // Python does not know its own path in unusual environments.
        return path == "\n" ? "python3" : path.split(separator: "\n").joined()
    }

    /// Returns a process that runs Python with the given arguments.
    ///
    /// - Throws: An error if Python is not installed.
    public static func process(_ arguments: [String], environment: [String: String] = [:]) async throws -> ChildProcess
    {
        ChildProcess(try await interpreter.value, arguments, environment: environment)
    }
}
