import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The files of commands that a signal ends before they are done.
@Suite(.fewAtOnce, .hangLimit)
struct LeftoverTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }

    init() throws { fixture = try InstallFixture() }

    /// The hidden files and folders in the root, except for the earlier versions.
    private func hidden() -> [String] {
        ["", "/Manifests", "/Plugins", "/Plugins/.versions"].flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: root.path + folder)) ?? [])
                .filter { ($0.hasPrefix(".") || $0.hasSuffix(".new")) && ![".versions", ".lock"].contains($0) }
        }.sorted()
    }

    @Test("A command removes what killed ones have left", arguments: ["enable", "lock", "install", "remove"])
    func killed(command: String) async throws {
        let library = try await fixture.packed("1")
        #expect(try await fixture.host("install", library, "--yes").ending == .code(0))
        for file in [
            "Manifests/.modules.lock.1", "Manifests/.modules.lock.999999", ".host.json.new",
            "Plugins/.versions/9-libVersion.so.new",
        ] { try root.folder.write("left", to: "root/\(file)") }
        try FileManager.default.createDirectory(
            atPath: "\(root.path)/Plugins/.installing-AbCdEf/root-x", withIntermediateDirectories: true)
        // A command that asks keeps its folder.
        let asking = try root.terminal("install", library, environment: fixture.state)
        try await asking.wait(for: "Install it? [y/N] ")
        let words = ["enable": ["enable", "version"], "lock": ["lock"], "install": ["install", library, "--yes"]]
        let arguments = words[command] ?? ["remove", "version", "--yes"]
        let result = try await root.host(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
        #expect(result.ending == .code(0), "\(result)")
        let left = hidden()
        #expect(left.count == 1 && left[0].hasPrefix(".installing-") && left[0] != ".installing-AbCdEf", "\(left)")
        try asking.type("n\n")
        #expect(try await asking.end().ending == .code(0))
        #expect(hidden() == [])
    }

    @Test("A signal during the question leaves nothing", arguments: [SIGINT, SIGTERM, SIGHUP])
    func ended(signal: Int32) async throws {
        let terminal = try root.terminal("install", try await fixture.packed("1"), environment: fixture.state)
        try await terminal.wait(for: "Install it? [y/N] ")
        #expect(hidden().count == 1)
        terminal.send(signal)
        #expect(try await terminal.end().ending == .signal(signal))
        #expect(hidden() == [])
    }

    @Test("A command that was started with a signal ignored still ignores it")
    func ignored() async throws {
        let library = try await fixture.packed("1")
        let terminal = try root.terminal(environment: fixture.state) { child in
            let words = [child.program] + ["install", library] + child.arguments
            (child.program, child.arguments) = ("/bin/sh", ["-c", "trap '' HUP; exec \"$0\" \"$@\""] + words)
        }
        try await terminal.wait(for: "Install it? [y/N] ")
        terminal.send(SIGHUP)
        try terminal.type("y\n")
        let end = try await terminal.end()
        #expect(end.ending == .code(0), "\(end)")
    }
}
