import Glibc
import HostDriver
import TestSupport
import Testing

/// Commands of a user who has no room for threads.
@Suite(.fewAtOnce, .hangLimit, .needs(.strangers))
struct ThreadLimitTests {
    /// Runs the host as a user of its own who may have this number of threads.
    ///
    /// - Parameter user: The user, whom no other test uses. The system counts the threads of all processes of a user.
    private func host(_ arguments: [String], threads: Int, user: Int) async throws -> ChildResult {
        let root = try ScratchRoot()
        let home = root.folder.path + "/home"
        #expect(mkdir(home, 0o700) == 0 && chown(home, uid_t(user), uid_t(user)) == 0)
        #expect(chmod(root.folder.path, 0o755) == 0)
        // The limit is set after the change of the user, so that this program counts as the one process.
        return try await ChildProcess(
            "setpriv",
            [
                "--reuid=\(user)", "--regid=\(user)", "--clear-groups", "bash", "-c",
                "ulimit -u \(threads); exec \"$@\"", "bash",
            ]
                + [root.executable] + arguments + ["--root", root.path],
            environment: ["HOME": home, "TMPDIR": home, "XDG_CACHE_HOME": home]
        ).run()
    }

    @Test("A command without room for its threads ends with an error", arguments: 1...6)
    func run(threads: Int) async throws {
        let result = try await host(["run", "list"], threads: threads, user: 61_200 + threads)
        #expect(result.ending == .code(71), "\(result)")
        #expect(
            result.errors == """
                host: cannot start "8 threads": Resource temporarily unavailable after \(threads - 1)
                  fix: raise the limit of processes of this user (ulimit -u), or that of the container or service

                """)
    }

    @Test(
        "A serving host needs more threads, and a worker without room for its own ends by a signal, which blames no module"
    )
    func serve() async throws {
        let serving = try await host(["serve", "--stdio"], threads: 12, user: 61_220)
        #expect(serving.ending == .code(71) && serving.errors.contains("cannot start \"16 threads\""), "\(serving)")
        let worker = try await host(["serve", "--as-is", "--stdio"], threads: 4, user: 61_221)
        #expect(worker.ending == .signal(SIGTERM) && worker.errors.contains("cannot start \"8 threads\""), "\(worker)")
    }

    @Test("A command with just enough room works")
    func enough() async throws {
        let result = try await host(["run", "list"], threads: 12, user: 61_222)
        #expect(result.ending == .code(0) && result.text.hasPrefix("People by company"), "\(result)")
    }
}
