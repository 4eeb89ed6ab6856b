import Foundation
import HostDriver
import TestSupport
import Testing

/// The short form of `swift run soak`, from the build products. The tests share one run. They are serialized, so that
/// only one of them takes a slot while it waits for the run.
@Suite(.serialized, .fewAtOnce, .long, .hangLimit)
struct SoakTests {
    /// The run that all tests share, because it compiles a module.
    private static let run = Task {
        try await ChildProcess(Products.folder + "/soak", ["--short", "--built"]).run()
    }

    private static func line(_ scenario: String) async throws -> String {
        let result = try await run.value
        let line = result.text.split(separator: "\n").first { $0.hasPrefix("\(scenario) ") }
        return String(try #require(line, "\(result)"))
    }

    @Test("Every scenario runs, and the command succeeds")
    func all() async throws {
        let result = try await Self.run.value
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let names = result.text.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(
            names == [
                "replace", "kill", "stop", "disk", "inotify", "descriptors", "latency", "endurance", "postgres",
                "logins", "streams", "shares", "pages",
            ])
    }

    @Test("Ten replacements with eight clients lose, fail and mix no call, and memory grows little")
    func replace() async throws {
        let line = try await Self.line("replace")
        #expect(line.contains(" ok ") && line.contains("10 replacements under 8 clients: "), "\(line)")
        #expect(line.contains("0 failed, 0 lost, 0 mixed"))
        let calls = try #require(line.firstMatch(of: /clients: (\d+) calls/))
        #expect(try #require(Int(calls.1)) > 10 * 8)
        let bytes = try #require(line.firstMatch(of: /(-?\d+) KiB per generation/))
        #expect(try #require(Int(bytes.1)) < 1024)
    }

    @Test("After clients, workers and the host are killed, few calls fail and the next start is clean")
    func kill() async throws {
        let line = try await Self.line("kill")
        #expect(line.contains(" ok ") && line.contains("the next start was clean"), "\(line)")
        let met = try #require(line.firstMatch(of: /(\d+) of (\d+) calls failed, all running during a crash/))
        #expect(try #require(Int(met.1)) <= 8 && #require(Int(met.2)) > 100)
    }

    @Test("No library is refused after signals have ended its host and workers during replacements")
    func stop() async throws {
        let line = try await Self.line("stop")
        #expect(line.contains(" ok ") && line.contains("0 libraries refused"), "\(line)")
    }

    @Test(
        "A full disk, missing file watches and too few descriptors are survived where they can be tested",
        arguments: ["disk", "inotify", "descriptors"])
    func shortage(scenario: String) async throws {
        let line = try await Self.line(scenario)
        // Own disks and limits need namespaces, which some systems do not allow.
        if scenario != "descriptors", line.contains(" skipped ") { try Requirement.namespaces.skip() }
        #expect(line.contains(" ok "), "\(line)")
    }

    @Test("The time from a rename to the first response is measured and compared with a lower bound")
    func latency() async throws {
        let line = try await Self.line("latency")
        let numbers = /[\d.]+ ms from rename to answer.*[\d.]+ times the floor/
        #expect(line.contains(" ok ") && line.contains(numbers), "\(line)")
    }

    @Test("The endurance scenario succeeds, with 2,500 calls to an isolated module")
    func endurance() async throws {
        let line = try await Self.line("endurance")
        #expect(line.contains(" ok ") && line.contains("2500 calls to an isolated module: "), "\(line)")
    }

    @Test(
        "Three hosts with one database store each acknowledged record once while they are killed",
        .needs(.postgreSQL))
    func postgres() async throws {
        let line = try await Self.line("postgres")
        #expect(line.contains(" ok ") && line.contains("hosts killed under 8 clients: "), "\(line)")
        let count = try #require(line.firstMatch(of: /clients: (\d+) acknowledged records are there once/))
        #expect(try #require(Int(count.1)) > 8)
    }

    @Test("Logins and logouts in three generations and two hosts at once are neither lost nor back")
    func logins() async throws {
        let line = try await Self.line("logins")
        #expect(line.contains(" ok ") && line.contains("generations of 2 hosts: none lost, none back"), "\(line)")
    }

    @Test("Streams of one window that open and close while it changes leave the host serving", .needs(.web))
    func streams() async throws {
        let line = try await Self.line("streams")
        #expect(line.contains(" ok ") && line.contains("opened and closed by 8 threads, 2000 changes"), "\(line)")
        #expect(try #require(line.firstMatch(of: /(\d+) streams of/).flatMap { Int($0.1) }) > 8)
    }

    @Test("A person loses nothing to a client that uses all sessions, streams, bodies and answers", .needs(.web))
    func shares() async throws {
        let line = try await Self.line("shares")
        #expect(line.contains(" ok ") && line.contains("a client with 40 sessions, "), "\(line)")
        #expect(try #require(line.firstMatch(of: /a person's (\d+) forms were answered/).flatMap { Int($0.1) }) >= 20)
    }

    @Test(
        "Each request gets an answer while the module web is replaced, and none is hidden behind a malformed header",
        .needs(.web))
    func pages() async throws {
        let line = try await Self.line("pages")
        #expect(line.contains(" ok ") && line.contains("3 replacements of web under 24 clients: "), "\(line)")
        #expect(line.contains("0 without an answer"), "\(line)")
        let counts = try #require(
            line.firstMatch(of: /: (\d+) answers.*; (\d+) streams; (\d+) malformed headers refused/))
        #expect(try #require(Int(counts.1)) > 24 && #require(Int(counts.2)) > 0 && #require(Int(counts.3)) > 0)
    }

    @Test("An unknown scenario is a usage error")
    func usage() async throws {
        let result = try await ChildProcess(Products.folder + "/soak", ["nothing", "--built"]).run()
        #expect(result.ending == .code(64) && result.text == "")
        #expect(result.errors.hasPrefix("usage: soak [replace|kill|"))
    }
}
