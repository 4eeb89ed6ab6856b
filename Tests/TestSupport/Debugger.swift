import Foundation
public import HostDriver

/// The toolchain's debugger. It is linked to the library of one version of Python, which may not be in the library path.
public enum Debugger {
    /// The environment in which lldb starts. Nil if it does not start, or may not debug a program.
    private static let working = Task { () -> [String: String]? in
        let path = ["HOME", "PATH"].reduce(into: [:]) { $0[$1] = ProcessInfo.processInfo.environment[$1] }
        guard let plain = try? await ChildProcess("lldb", ["--version"]).run() else { return nil }
        var environment: [String: String] = [:]
        if let version = plain.errors.firstMatch(of: /libpython(3\.\d+)\.so/)?.output.1 {
            let script = """
                "python$1" -c 'import sysconfig; print(sysconfig.get_config_var("LIBDIR"))' || echo "$(pyenv prefix "$1")/lib"
                """
            let found = try? await ChildProcess("sh", ["-c", script, "sh", String(version)], environment: path).run()
            environment["LD_LIBRARY_PATH"] = found?.text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        let trial = try? await ChildProcess("lldb", ["--batch", "-o", "run", "/bin/true"], environment: environment)
            .run()
        return trial?.text.contains("exited with status = 0") == true ? environment : nil
    }

    static var works: Bool { get async { await working.value != nil } }

    /// Returns a process that runs a command line with lldb, and finds the built host as `host`. Skips the test if lldb
    /// does not work.
    ///
    /// - Throws: The error that ends a skipped test.
    public static func process(_ command: String) async throws -> ChildProcess {
        try await Requirement.lldb.check()
        var child = ChildProcess("sh", ["-c", command], environment: await working.value ?? [:])
        child.environment["PATH"] = "\(Products.folder):\(child.environment["PATH"] ?? "")"
        return child
    }
}
