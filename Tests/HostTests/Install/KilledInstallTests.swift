import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Commands that are killed while they change an installed module.
@Suite(.fewAtOnce, .long, .hangLimit)
struct KilledInstallTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }
    /// The number of times that each command is killed. `VIPER_KILLS` sets another number.
    private let count = ProcessInfo.processInfo.environment["VIPER_KILLS"].flatMap { Int($0) } ?? 8

    init() throws { fixture = try InstallFixture() }

    /// Runs a command, and kills it after a part of the time that it took before.
    private func kill(_ arguments: [String], after time: Duration) async throws {
        let seconds = "\(max(0.001, time / .seconds(1)))"
        let child = ["-s", "KILL", seconds, Products.host] + arguments + ["--root", root.path]
        let environment = root.environment.merging(fixture.state) { $1 }
        _ = try await ChildProcess("timeout", child, environment: environment).run()
    }

    /// Runs a command to its end, and returns the time that it took.
    private func time(_ arguments: [String]) async throws -> Duration {
        let begin = ContinuousClock.now
        let result = try await root.host(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
        try #require(result.ending == .code(0), "\(result)")
        return ContinuousClock.now - begin
    }

    @Test("A killed install leaves the old or the new version, and the next one succeeds")
    func install() async throws {
        let libraries = [try await fixture.packed("1"), try await fixture.packed("2")]
        let contents = try libraries.map { try Data(contentsOf: URL(filePath: $0)) }
        var whole = Duration.zero
        for library in libraries { whole = try await time(["install", library, "--yes"]) }
        for round in 0..<count {
            try await kill(["install", libraries[round % 2], "--yes"], after: whole * Double.random(in: 0...1.1))
            let installed = try Data(contentsOf: URL(filePath: fixture.installed))
            #expect(contents.contains(installed), "round \(round)")
        }
        _ = try await time(["install", libraries[0], "--yes"])
        #expect(try await fixture.title() == "1")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: "\(root.path)/Plugins").sorted()
                == [".versions", "CompanyList", "libVersion.so"])
    }

    @Test("A killed rollback leaves one of the versions, and both stay available")
    func rollback() async throws {
        let libraries = [try await fixture.packed("1"), try await fixture.packed("2")]
        let contents = try libraries.map { try Data(contentsOf: URL(filePath: $0)) }
        for library in libraries { _ = try await time(["install", library, "--yes"]) }
        let whole = try await time(["rollback", "version", "--yes"])
        for round in 0..<count {
            try await kill(["rollback", "version", "--yes"], after: whole * Double.random(in: 0...1.1))
            #expect(contents.contains(try Data(contentsOf: URL(filePath: fixture.installed))), "round \(round)")
        }
        let before = try await fixture.title()
        _ = try await time(["rollback", "version", "--yes"])
        #expect(try await fixture.title() == (before == "1" ? "2" : "1"))
    }

    @Test("A killed removal leaves the module or its earlier version")
    func remove() async throws {
        let library = try await fixture.packed("1")
        _ = try await time(["install", library, "--yes"])
        let whole = try await time(["remove", "version", "--yes"])
        for round in 0..<count {
            _ = try await time(["rollback", "version", "--yes"])
            try await kill(["remove", "version", "--yes"], after: whole * Double.random(in: 0...1.1))
            if FileManager.default.fileExists(atPath: fixture.installed) {
                _ = try await time(["remove", "version", "--yes"])
            }
            #expect(try await fixture.title() == nil, "round \(round)")
        }
        _ = try await time(["rollback", "version", "--yes"])
        #expect(try await fixture.title() == "1")
    }

    @Test("A killed enable or disable leaves a valid host.json")
    func settings() async throws {
        #expect(try await root.host("install", try await fixture.packed("1"), "--yes").ending == .code(0))
        try root.folder.write("{ \"data\": [] }", to: "root/host.json")
        let whole = try await time(["disable", "version"])
        for round in 0..<count {
            try await kill(
                [round % 2 == 0 ? "enable" : "disable", "version"], after: whole * Double.random(in: 0...1.1))
            let text = try String(contentsOfFile: "\(root.path)/host.json", encoding: .utf8)
            #expect(
                ["{ \"data\": [],\n  \"disabled\": [\"version\"] }", "{ \"data\": [] }"].contains(text), "\(text)")
        }
        _ = try await root.host("enable", "version")
        #expect(try await fixture.title() == "1")
    }
}
