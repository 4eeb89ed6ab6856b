import Foundation
import TestSupport
import Testing

/// The short form of `swift run soak`, as the build has made it.
@Suite(.fewAtOnce, .hangLimit)
struct SoakTests {
    /// One run for all: it compiles a module.
    private static let run = Task {
        try await ChildProcess(Products.folder + "/soak", ["--short", "--built"]).run()
    }

    private static func line(_ scenario: String) async throws -> String {
        let result = try await run.value
        let line = result.text.split(separator: "\n").first { $0.hasPrefix("\(scenario) ") }
        return String(try #require(line, "\(result)"))
    }

    @Test("every scenario succeeds, or is one that this system does not let be shown")
    func all() async throws {
        let result = try await Self.run.value
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let names = result.text.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(names == ["replace", "kill", "disk", "inotify", "descriptors", "latency", "endurance"])
    }

    @Test("thirty replacements under eight clients lose, fail and mix no call, and memory grows by little")
    func replace() async throws {
        let line = try await Self.line("replace")
        #expect(line.contains(" ok ") && line.contains("30 replacements under 8 clients: "), "\(line)")
        #expect(line.contains("0 failed, 0 lost, 0 mixed"))
        let calls = try #require(line.firstMatch(of: /clients: (\d+) calls/))
        #expect(try #require(Int(calls.1)) > 30 * 8)
        let bytes = try #require(line.firstMatch(of: /(-?\d+) KiB a generation/))
        #expect(try #require(Int(bytes.1)) < 1024)
    }

    @Test("clients, workers and the host are killed, and cost nobody else anything")
    func kill() async throws {
        let line = try await Self.line("kill")
        #expect(line.contains(" ok ") && line.contains("the next start was clean"), "\(line)")
        let met = try #require(line.firstMatch(of: /(\d+) of (\d+) calls failed, those that were inside/))
        #expect(try #require(Int(met.1)) <= 8 && #require(Int(met.2)) > 100)
    }

    @Test(
        "a full disk, a kernel that watches nothing, and too few descriptors are lived through",
        arguments: ["disk", "inotify", "descriptors"])
    func shortage(scenario: String) async throws {
        let line = try await Self.line(scenario)
        // Disks and limits of one's own need namespaces, which not every system gives.
        let isShown = scenario == "descriptors" || line.contains(" ok ")
        #expect(isShown ? line.contains(" ok ") : line.contains(" unshown "), "\(line)")
    }

    @Test("the time from a rename to the first answer is measured beside its floor")
    func latency() async throws {
        let line = try await Self.line("latency")
        let numbers = /[\d.]+ ms from rename to answer.*[\d.]+ times the floor/
        #expect(line.contains(" ok ") && line.contains(numbers), "\(line)")
    }

    @Test("a connection, an accepting socket and a worker survive more events than a small stack has room for")
    func endurance() async throws {
        let line = try await Self.line("endurance")
        #expect(line.contains(" ok ") && line.contains("5000 calls to an isolated module"), "\(line)")
    }

    @Test("a word that is no scenario is a usage error")
    func usage() async throws {
        let result = try await ChildProcess(Products.folder + "/soak", ["nothing", "--built"]).run()
        #expect(result.ending == .code(64) && result.text == "")
        #expect(result.errors.hasPrefix("usage: soak [replace|kill|"))
    }
}
