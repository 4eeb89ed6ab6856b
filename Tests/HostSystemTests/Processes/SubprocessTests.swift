import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import HostSystem

/// Programs that the host runs, with the system's shell as the program.
@Suite(.fewAtOnce, .hangLimit)
struct SubprocessTests {
    private func shell(_ script: String, _ change: (inout Subprocess) -> Void = { _ in }) async throws
        -> Subprocess.Result
    {
        var program = Subprocess("sh", ["-c", script])
        program.output = .captured(limit: 1 << 20)
        change(&program)
        return try await program.run()
    }

    @Test("Output, errors and the exit code are returned separately")
    func outputs() async throws {
        let result = try await shell("echo one; echo two >&2; exit 3")
        #expect(result.ending == .code(3))
        #expect(result.output == Array("one\n".utf8) && result.errors == Array("two\n".utf8))
    }

    @Test("None of many short programs is killed or loses output")
    func many() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 1...8 {
                group.addTask {
                    for number in 1...25 {
                        let script = "echo \(task) \(number); echo x >&2"
                        let result = try await shell(script) { $0.timeLimit = .seconds(600) }
                        #expect(result.ending == .code(0) && result.output == Array("\(task) \(number)\n".utf8))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A program killed by a signal returns the signal")
    func signal() async throws { #expect(try await shell("kill -9 $$").ending == .signal(9)) }

    @Test("A program gets the given folder and variables, and no input")
    func surroundings() async throws {
        let result = try await shell("pwd; echo $ONE; cat; test -n \"$PATH\"") {
            $0.workingFolder = "/usr"
            $0.environment = ["ONE": "1"]
        }
        #expect(result.ending == .code(0) && result.output == Array("/usr\n1\n".utf8))
    }

    @Test("Output over the limit is dropped without blocking the program")
    func flood() async throws {
        let result = try await shell("head -c 3000000 /dev/zero; head -c 3000000 /dev/zero >&2") {
            $0.output = .captured(limit: 1000)
        }
        #expect(result.ending == .code(0))
        #expect(result.output.count == 1000 && result.errors.count == 1000)
    }

    @Test("A program that exceeds its time limit is killed together with its children")
    func overdue() async throws {
        var result: Subprocess.Result
        var limit = Duration.milliseconds(100)
        repeat {
            // The limit doubles until the child has enough time to start.
            limit *= 2
            result = try await shell("sleep 1000 & echo $!; wait") { [limit] in $0.timeLimit = limit }
            #expect(result.ending == .overdue)
        } while result.output.isEmpty && limit < Patience.limit
        let child = try #require(pid_t(String(decoding: result.output.dropLast(), as: UTF8.self)))
        // A killed process is a zombie until its new parent reaps it.
        #expect(await eventually { stateOf(child) == nil || stateOf(child) == "Z" })
    }

    @Test("A process that a program leaves behind does not delay the result")
    func leftBehind() async throws {
        let result = try await shell("setsid sleep 1000 & echo $!") { $0.timeLimit = Patience.limit }
        #expect(result.ending == .code(0))
        let child = try #require(pid_t(String(decoding: result.output.dropLast(), as: UTF8.self)))
        kill(child, SIGKILL)
    }

    @Test("A missing or invalid program throws an error that names it")
    func missing() async throws {
        for program in ["no-such-program", "/etc/passwd", ""] {
            let error = await #expect(throws: ViperError.self) { _ = try await Subprocess(program, []).run() }
            #expect(error?.code == .programFailed && error?.subject == program)
        }
    }

    @Test("A hundred running programs do not use a thread each")
    func threads() async throws {
        let scratch = try ScratchFolder()
        await #expect(processExitsWith: .success) { [folder = scratch.path as String] in
            let (pipe, begun) = ("\(folder)/pipe", "\(folder)/begun")
            try #require(mkfifo(pipe, 0o600) == 0)
            let programs = Task {
                try await withThrowingTaskGroup(of: Subprocess.Ending.self) { group in
                    for _ in 0..<100 {
                        group.addTask {
                            var program = Subprocess("sh", ["-c", "echo >> \(begun); exec cat \(pipe)"])
                            program.output = .captured(limit: 100)
                            return try await program.run().ending
                        }
                    }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            #expect(await eventually { (try? Data(contentsOf: URL(filePath: begun)))?.count == 100 })
            #expect(try threadCount() < manyThreads)
            // The programs that read the pipe exit when its last writer closes it.
            let isOver = Mutex(false)
            let writer = Task {
                while !isOver.withLock({ $0 }) {
                    close(open(pipe, O_WRONLY | O_NONBLOCK))
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            #expect(try await programs.value == Array(repeating: .code(0), count: 100))
            isOver.withLock { $0 = true }
            try await writer.value
        }
    }

    private func stateOf(_ process: pid_t) -> Character? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.first { $0 != " " }
    }
}
