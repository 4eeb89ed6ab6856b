import Foundation
import Testing
import ViperKit

@testable import ViperRuntime

/// Programs that the host runs, with the system's own shell as the program.
@Suite(.timeLimit(.minutes(5)))
struct SubprocessTests {
    private func shell(_ script: String, _ change: (inout Subprocess) -> Void = { _ in }) async throws
        -> Subprocess.Result
    {
        var program = Subprocess("sh", ["-c", script])
        program.output = .captured(limit: 1 << 20)
        change(&program)
        return try await program.run()
    }

    @Test("both outputs and the exit code are told apart")
    func outputs() async throws {
        let result = try await shell("echo one; echo two >&2; exit 3")
        #expect(result.ending == .code(3))
        #expect(result.output == Array("one\n".utf8) && result.errors == Array("two\n".utf8))
    }

    @Test("what a signal ended says so")
    func signal() async throws { #expect(try await shell("kill -9 $$").ending == .signal(9)) }

    @Test("a program sees the folder and the variables that are given, and nothing to read")
    func surroundings() async throws {
        let result = try await shell("pwd; echo $ONE; cat; test -n \"$PATH\"") {
            $0.workingFolder = "/usr"
            $0.environment = ["ONE": "1"]
        }
        #expect(result.ending == .code(0) && result.output == Array("/usr\n1\n".utf8))
    }

    @Test("more output than wanted is dropped, and blocks nobody")
    func flood() async throws {
        let result = try await shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2") {
            $0.output = .captured(limit: 1000)
        }
        #expect(result.ending == .code(0))
        #expect(result.output.count == 1000 && result.errors.count == 1000)
    }

    @Test("a program that takes too long is killed, with all that it has started")
    func overdue() async throws {
        let result = try await shell("sleep 1000 & echo $!; wait") { $0.timeLimit = .milliseconds(300) }
        #expect(result.ending == .overdue)
        let child = try #require(pid_t(String(decoding: result.output.dropLast(), as: UTF8.self)))
        // A killed process is a zombie until its new parent has looked, or it is gone.
        while let state = stateOf(child), state != "Z" { await Task.yield() }
    }

    @Test("what a program leaves behind keeps nobody waiting")
    func leftBehind() async throws {
        let result = try await shell("setsid sleep 1000 & echo $!") { $0.timeLimit = .seconds(30) }
        #expect(result.ending == .code(0))
        let child = try #require(pid_t(String(decoding: result.output.dropLast(), as: UTF8.self)))
        kill(child, SIGKILL)
    }

    @Test("a program that there is not, or that is none, is an error with its reason")
    func missing() async throws {
        for program in ["no-such-program", "/etc/passwd", ""] {
            let error = await #expect(throws: ViperError.self) { _ = try await Subprocess(program, []).run() }
            #expect(error?.code == .programFailed && error?.subject == program)
        }
    }

    private func stateOf(_ process: pid_t) -> Character? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.first { $0 != " " }
    }
}
