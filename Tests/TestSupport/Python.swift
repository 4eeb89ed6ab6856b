import Foundation
public import HostDriver

/// The Python interpreter that `PATH` refers to. The `python3` in `PATH` can be a script that looks up the interpreter.
/// This lookup uses more processor time than most programs of the tests, so it happens only once per test run.
public enum Python {
    private struct Installation {
        var interpreter: String
        /// The folder of the packages that the user has installed without root.
        var packages: String
    }

    private static let installation = Task {
        let script = "import site, sys; print(sys.executable); print(site.getuserbase())"
        // The lookup alone uses the user's home folder, which it does not change.
        let home = ProcessInfo.processInfo.environment.filter { $0.key == "HOME" }
        let result = try await ChildProcess("python3", ["-B", "-c", script], environment: home).run()
        if result.ending != .code(0) { throw Tool.Failure(description: "python3: \(result)") }
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        // Python does not know its own path in unusual environments.
        return Installation(interpreter: lines[0].isEmpty ? "python3" : lines[0], packages: lines[1])
    }

    static var isInstalled: Bool { get async { (try? await installation.value) != nil } }

    /// Returns a process that runs Python with the given arguments. Skips the test if Python is not installed.
    ///
    /// - Throws: The error that ends a skipped test.
    public static func process(_ arguments: [String], environment: [String: String] = [:]) async throws -> ChildProcess
    {
        try await Requirement.python.check()
        return try await installedProcess(arguments, environment: environment)
    }

    static func installedProcess(
        _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> ChildProcess {
        let installation = try await installation.value
        return ChildProcess(
            installation.interpreter, arguments,
            environment: ["PYTHONUSERBASE": installation.packages].merging(environment) { $1 })
    }
}
