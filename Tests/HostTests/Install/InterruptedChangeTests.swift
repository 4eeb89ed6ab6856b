import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Commands that a signal ends in the middle of a change.
@Suite(.fewAtOnce, .long, .hangLimit)
struct InterruptedChangeTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }
    private var lock: String { text("Manifests/modules.lock") }

    init() throws { fixture = try InstallFixture() }

    /// Runs a command that waits for a moment after one of its system calls, and sends it SIGTERM there.
    ///
    /// - Parameters:
    ///   - count: The number of the call, from 1, on its thread.
    ///   - isThere: A closure that returns true when the call has taken effect.
    /// - Returns: False if the command did not end within the two seconds that it has, because the machine is busy.
    private func interrupt(
        _ command: String, _ words: String..., inCall count: Int, of call: String,
        when isThere: () async throws -> Bool
    ) async throws -> Bool {
        let terminal = try root.terminal(command, environment: fixture.state) { child in
            // The process is that of the command, because -D gives strace another one.
            let strace = [
                "-D", "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)",
                "-e", "inject=\(call):delay_exit=200000:when=\(count)",
            ]
            let program = child.program
            child.program = "strace"
            child.arguments = strace + [program, command] + words + child.arguments.dropFirst()
        }
        let wasThere = try await eventually(isThere)
        let sent = ContinuousClock.now
        terminal.send(SIGTERM)
        let end = try await terminal.end()
        // On a busy machine, the signal may come when the command has ended.
        #expect([.signal(SIGTERM), .code(0)].contains(end.ending), "call \(count): \(end)")
        try #require(wasThere, "call \(count): \(end)")
        return .now < sent + .seconds(2)
    }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: "\(root.path)/\(path)") ?? Data(), as: UTF8.self)
    }

    /// The hidden and the unfinished files in the root, except for the earlier versions.
    private func leftovers() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root.path).filter { path in
            let name = (path as NSString).lastPathComponent
            return (name.hasPrefix(".") || name.hasSuffix(".new")) && ![".versions", ".lock"].contains(name)
        }
    }

    @Test("A signal during an install ends it when the library and the lock are complete", .needs(.strace))
    func install() async throws {
        let libraries = [try await fixture.packed("1"), try await fixture.packed("2")]
        let digests = [try await fixture.digest(of: libraries[0]), try await fixture.digest(of: libraries[1])]
        #expect(try await fixture.host("install", libraries[0], "--yes").ending == .code(0))
        #expect(try await fixture.host("lock").ending == .code(0))
        // The first call replaces the lock, and the second one the library.
        let isFirstWhole = try await interrupt("install", libraries[1], "--yes", inCall: 1, of: "rename") {
            lock.contains(digests[1])
        }
        guard isFirstWhole else { return }
        #expect(lock.contains(digests[1]) && !lock.contains("replaces"), "\(lock)")
        #expect(try await fixture.digest(of: fixture.installed) == digests[1])
        let isSecondWhole = try await interrupt("install", libraries[0], "--yes", inCall: 2, of: "rename") {
            try await fixture.digest(of: fixture.installed) == digests[0]
        }
        guard isSecondWhole else { return }
        #expect(lock.contains(digests[0]) && !lock.contains("replaces"), "\(lock)")
        #expect(try leftovers() == [])
    }

    @Test("A signal during the last step of a build ends it when both files are there", .needs(.strace))
    func build() async throws {
        let source = "\(root.folder.path)/Hello"
        let manifest = ManifestText("hello", library: "libHello.so", routes: ["hello"]).text
        func write(_ version: String) throws {
            try root.folder.write(BuildTests.code("Hello"), to: "Hello/Hello.swift")
            try root.folder.write(manifest.replacing("\"1.0.0\"", with: "\"\(version)\""), to: "Hello/hello.json")
        }
        try root.add(manifest: manifest, as: "hello.json")
        try write("1.0.0")
        #expect(try await root.host("build", source).ending == .code(0))
        try write("2.0.0")
        let isWhole = try await interrupt("build", source, inCall: 1, of: "renameat2") {
            text("Manifests/hello.json").contains("2.0.0")
        }
        guard isWhole else { return }
        let packed = try await ChildProcess(Products.host, ["inspect", "\(root.path)/Plugins/libHello.so"]).run()
        #expect(packed.text.contains("2.0.0"), "\(packed)")
        #expect(try leftovers() == [])
    }
}
