import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing
import ViperKit

@testable import HostSystem
@testable import ModuleIsolation

/// Long-lived processes, with a hostile C program as the process.
@Suite(.fewAtOnce, .hangLimit)
struct WorkerProcessTests {
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock(\.self) }
        func add(_ line: String) { lines.withLock { $0.append(line) } }

        func has(_ line: String) async -> Bool { await eventually { all.contains(line) } }
    }

    /// A process that is killed, and whose socket is closed, when this object is released.
    private final class Hostile: Sendable {
        let process: WorkerProcess
        let lines = Lines()

        init(_ words: [String], _ limits: WorkerLimits, supervisor: String = Products.host) async throws {
            process = try WorkerProcess(
                try await hostileProgram.compiled(), words, supervisor: supervisor, limits: limits
            ) { [lines] in lines.add($0) }
        }

        deinit {
            process.kill()
            close(process.socket)
        }

        /// Waits for the end. The call keeps this object alive until then.
        func end() async -> WorkerProcess.End { await process.end() }
    }

    private func hostile(_ words: String..., limits: WorkerLimits = .patient) async throws -> Hostile {
        try await Hostile(words, limits)
    }

    @Test(
        "An exit, an abort, a null pointer and endless recursion are reported as endings",
        arguments: [
            (["exit", "0"], WorkerEnding.code(0)), (["exit", "9"], .code(9)), (["abort"], .signal(SIGABRT)),
            (["null"], .signal(SIGSEGV)), (["recursion"], .signal(SIGSEGV)),
        ])
    func endings(_ words: [String], _ ending: WorkerEnding) async throws {
        let child = try await Hostile(words, .patient)
        #expect(await child.end().ending == ending)
        // A later call returns the same ending, and killing an ended process is harmless.
        child.process.kill()
        #expect(await child.end().ending == ending)
    }

    @Test("The end of a process is known even if its supervisor is killed before it has killed the descendants")
    func unfinishedSupervisor() async throws {
        let child = try await Hostile(["null"], .patient, supervisor: try await hostileProgram.compiled())
        #expect(await child.end().ending == .signal(SIGSEGV))
    }

    @Test(
        "A process that loops, ignores all signals or closes all its descriptors can be killed",
        arguments: ["loop", "stubborn", "closed"])
    func loops(_ act: String) async throws {
        let child = try await hostile(act)
        if act == "stubborn" { try #require(await child.lines.has("ready")) }
        child.process.kill(because: .overdue(.seconds(2)))
        child.process.kill(because: .killedByHost)
        #expect(await child.end().ending == .overdue(.seconds(2)))
        #expect(kill(child.process.process, 0) == -1 && errno == ESRCH)
    }

    @Test("The end of a process is reported although its supervisor was stopped", arguments: [SIGKILL, SIGTERM])
    func stoppedSupervisor(_ number: Int32) async throws {
        let child = try await hostile("loop")
        kill(try #require(parentOf(child.process.process)), SIGSTOP)
        kill(child.process.process, number)
        #expect(await child.end().ending == .signal(number))
    }

    @Test("A process that exceeds its memory limit is killed for that reason")
    func hog() async throws {
        var limits = WorkerLimits.patient
        limits.memory = 200 << 20
        let child = try await hostile("hog", limits: limits)
        #expect(await child.end().ending == .overMemory(200 << 20))
    }

    @Test("An allocation above the memory limit is refused by the system")
    func gulp() async throws {
        let child = try await hostile("gulp")
        #expect(await child.end().report.lastLines == ["refused"])
    }

    @Test("A child that a process leaves behind is killed, and does not delay the ending")
    func leftBehind() async throws {
        let child = try await hostile("leave")
        #expect(await child.end().ending == .code(3))
        let grandchild = try #require(pid_t(child.lines.all[0]))
        #expect(stateOf(grandchild) == nil)
    }

    @Test("A child in its own session that ignores signals is killed with its process")
    func escaped() async throws {
        let child = try await hostile("escape")
        #expect(await child.end().ending == .code(3))
        let away = try #require(child.lines.all.compactMap { pid_t($0) }.first)
        #expect(stateOf(away) == nil)
    }

    @Test("A chain of processes that each start the next one is killed with the first")
    func chain() async throws {
        let child = try await hostile("chain")
        #expect(await child.end().ending == .code(3))
        // The last process has the name of the first.
        #expect(try processes(named: "chain \(child.process.process)") == [])
    }

    @Test("A traced process and its tracer are killed with their process")
    func traced() async throws {
        let child = try await hostile("trace")
        #expect(await child.end().ending == .code(3))
        #expect(try processes(named: "trace \(child.process.process)") == [])
    }

    @Test("Hundreds of children are killed with their process")
    func crowd() async throws {
        let child = try await hostile("crowd")
        #expect(await child.end().ending == .code(3))
        #expect(try processes(named: "crowd \(child.process.process)") == [])
    }

    @Test("Each line of long error output is passed on, and the report has the last line")
    func flood() async throws {
        let child = try await hostile("flood")
        let end = await child.end()
        #expect(end.ending == .code(2) && end.report.lastLines.last == "the end")
        #expect(child.lines.all.count == 60002)
        #expect(child.lines.all.first == "the beginning" && child.lines.all.last == "the end")
    }

    @Test("A line without an end arrives in pieces")
    func endlessLine() async throws {
        let child = try await hostile("endless line")
        _ = await child.end()
        #expect(child.lines.all.allSatisfy { $0.count <= 4096 } && child.lines.all.joined().count == 100_000)
    }

    @Test("A process is reached through its standard input and output, and notices when its input ends")
    func socket() async throws {
        let first = try await hostile("echo")
        // Started while the first one's socket is open here.
        let second = try await hostile("echo")
        let words = Array("Ada\n".utf8)
        #expect(write(first.process.socket, words, words.count) == words.count)
        var answer = [UInt8](repeating: 0, count: 16)
        #expect(read(first.process.socket, &answer, answer.count) == 4 && answer.prefix(4) == words[...])
        shutdown(first.process.socket, Int32(SHUT_WR))
        #expect(await first.end().ending == .code(7))
        second.process.kill()
        #expect(await second.end().ending == .killedByHost)
    }

    @Test("A process starts with three descriptors, default signals, its own group and its limits")
    func initialState() async throws {
        var limits = WorkerLimits.patient
        (limits.memory, limits.descriptors) = (100 << 20, 1000)
        // A descriptor that a careless module leaves open for children.
        let careless = open("/dev/null", O_RDONLY)
        defer { close(careless) }
        let child = try await hostile("state", limits: limits)
        _ = await child.end()
        #expect(
            child.lines.all == ["3 open, 0 signals changed, leads: 1, core 0, data \(200 << 20), files 1000"])
    }

    @Test("Hundreds of processes leave no descriptor open")
    func descriptors() async throws {
        let path = try await hostileProgram.compiled()
        func end() async throws {
            let process = try WorkerProcess(
                path, ["exit", "0"], supervisor: Products.host, limits: .patient
            ) { _ in }
            #expect(await process.end().ending == .code(0))
            close(process.socket)
        }
        for _ in 0..<300 { try await end() }
        // Other tests of this process have many descriptors open, but only for a time.
        let hasFew = try await eventually {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < 250
        }
        #expect(hasFew)
    }

    @Test("The error for a missing program names the program")
    func missing() throws {
        let error = #expect(throws: ViperError.self) {
            _ = try WorkerProcess("/no/such/program", [], limits: .patient) { _ in }
        }
        #expect(error?.code == .programFailed && error?.subject == "/no/such/program")
    }

    @Test("A process whose supervisor is killed is killed too, and its ending is SIGKILL")
    func withoutSupervisor() async throws {
        let child = try await hostile("stubborn")
        try #require(await child.lines.has("ready"))
        let supervisor = try #require(parent(of: child.process.process))
        #expect(kill(supervisor, SIGKILL) == 0)
        #expect(await child.end().ending == .signal(SIGKILL))
    }

    private func parent(of process: pid_t) -> pid_t? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last.flatMap { pid_t($0.split(separator: " ")[1]) }
    }

    private func processes(named name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { number in
            let text = try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)
            return text == name + "\n"
        }
    }

    private func stateOf(_ process: pid_t) -> Character? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.first { $0 != " " }
    }

    private func parentOf(_ process: pid_t) -> pid_t? {
        let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        return text?.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { pid_t($0) }
    }
}
