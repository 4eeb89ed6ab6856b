import Foundation
public import HostDriver

/// The Python interpreter that `PATH` names. Its `python3` can be a script that looks the interpreter up, which costs
/// more processor time than most programs of the tests. So the lookup happens once per test run.
public enum Python {
    private static let interpreter = Task {
        try await Tool.run("python3", ["-c", "import sys; print(sys.executable)"]).split(separator: "\n").joined()
    }

    /// Returns a process that runs Python with these arguments.
    ///
    /// - Throws: An error if Python is not installed.
    public static func process(_ arguments: [String], environment: [String: String] = [:]) async throws -> ChildProcess
    {
        ChildProcess(try await interpreter.value, arguments, environment: environment)
    }
}
