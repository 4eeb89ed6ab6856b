import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct HostileRunTests {
    @Test("A hostile module has the expected effect on host run, and none on the next run", arguments: HostileCase.all)
    func run(_ hostile: HostileCase) async throws {
        let root = try await Self.root(hostile)
        let events = hostile.place == "event" ? ["--press", "strike"] : []
        let arguments = ["run", "hostile", "--root", root.path, "--format", "json"] + events
        var child = ChildProcess(Products.host, arguments, environment: ["TMPDIR": root.temporary])
        switch hostile.run {
        case .hangs:
            // The host cannot end the module, so `timeout` does.
            child = ChildProcess("timeout", ["1", Products.host] + arguments, environment: ["TMPDIR": root.temporary])
            #expect(try await child.run().ending == .code(124))
            return
        case .takesAll:
            // Limits the memory, so that the system soon refuses more.
            let words = "ulimit -d 300000 && exec \"$@\""
            child = ChildProcess(
                "sh", ["-c", words, "sh", Products.host] + arguments, environment: ["TMPDIR": root.temporary])
        default: break
        }
        let result = try await child.run()
        switch hostile.run {
        case .hostEnds(let ending): #expect(result.ending == ending && result.text == "", "\(result)")
        case .hostMayEnd(let ending): #expect([ending, .code(0)].contains(result.ending), "\(result)")
        case .takesAll: #expect(result.ending == .signal(SIGSEGV) && result.text == "", "\(result)")
        case .harmless:
            #expect(result.ending == .code(0) && result.errors == "", "\(result)")
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: result.output) }
        case .printed:
            #expect(result.ending == .code(0), "\(result)")
            #expect(result.text.contains("written") || result.text.contains(#"{"printed": true}"#), "\(result)")
        case .refused(let cause), .callFails(let cause):
            #expect(result.ending == .code(70) && result.errors.contains(cause), "\(result)")
        case .hangs, .quarantined, .full: Issue.record("host run does nothing of the kind")
        }
        #expect(try await root.host("run", "list").text == RunTests.list)
    }

    @Test("An undeclared route is unknown to the command line and to the module")
    func undeclared() async throws {
        let root = try await Self.root(.nothing)
        let outside = try await root.host("run", "hostile/undeclared")
        #expect(outside.ending != .code(0) && outside.text == "")
        #expect(outside.errors.hasPrefix("host: cannot open route \"hostile/undeclared\": no module provides it"))
        let inside = try await root.host("run", "hostile", "--press", "away")
        #expect(inside.text.contains("cannot open route \"hostile/undeclared\": no module provides it"), "\(inside)")
    }

    @Test("A module that leaks descriptors still shows its screen")
    func leak() async throws {
        let root = try await Self.root(.leak)
        let result = try await root.host("run", "hostile", "--press", "strike") { child in
            let words = "ulimit -n 32 && exec \"$@\""
            child.arguments = ["-c", words, "sh", child.program] + child.arguments
            child.program = "sh"
        }
        #expect(result.ending == .code(0) && result.text.contains("came through 1"), "\(result)")
    }

    private static func root(_ hostile: HostileCase) async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.add(.hostile)
        try root.add(library: await ModuleFixture.hostile(hostile.deed, in: hostile.place), as: "libHostile.so")
        return root
    }
}
