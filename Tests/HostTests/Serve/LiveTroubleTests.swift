import Foundation
import HostDriver
import Synchronization
import TestSupport
import Testing

/// The times for which a manifest is away.
private final class Absence: Sendable {
    private let state = Mutex<(since: ContinuousClock.Instant?, longest: Duration, isOver: Bool)>((nil, .zero, false))

    var isOver: Bool { state.withLock(\.isOver) }

    func begin() { state.withLock { $0.since = .now } }

    func end() {
        state.withLock { state in
            if let since = state.since { state.longest = max(state.longest, .now - since) }
            state.since = nil
        }
    }

    func stop() { state.withLock { $0.isOver = true } }

    /// Returns the longest time since the last call, including that of an absence that has not ended.
    func takeLongest() -> Duration {
        state.withLock { state in
            defer { state.longest = .zero }
            return max(state.longest, state.since.map { .now - $0 } ?? .zero)
        }
    }
}

/// Modules with problems during replacement, while the built host serves.
@Suite(.fewAtOnce, .hangLimit)
struct LiveTroubleTests {
    private let root: ScratchRoot
    private var plugin: String { "\(root.path)/Plugins/libVersion.so" }

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
    }

    /// Replaces the module's library in one step.
    private func put(_ library: Data) throws {
        try root.folder.write(library, to: "new")
        try #require(rename("\(root.folder.path)/new", plugin) == 0)
    }

    private func bytes(_ fixture: ModuleFixture) async throws -> Data {
        try Data(contentsOf: URL(filePath: await fixture.compiled()))
    }

    @Test(
        "A module whose stop never returns delays neither a rejection, a replacement nor a removal")
    func neverStops() async throws {
        // Only in the host itself, so that probing does not find the fault.
        let isHost = #"!CommandLine.arguments.contains("--as-is")"#
        let stubborn = ModuleFixture.version(
            "1", health: "if \(isHost) { throw Fault() }",
            stop: "while \(isHost) { try? await Task.sleep(for: .seconds(1000)) }")
        try await root.add(stubborn, .version())
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        _ = try await client.call("close", #"{"scene":1}"#)
        // The same code with another digest. The module is created, fails its health check, and has to stop.
        try put(try await bytes(stubborn) + [0])
        try await host.wait(forLog: "keeps module version 1.0.0: ")
        try root.add(ManifestText("second", library: "libNone.so", routes: ["second"]))
        try await client.wait("modules", "{}", for: #""module":"second""#)
        try put(try await bytes(.version("2")))
        try await client.wait(for: #""title":"2""#)
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/version.json")
        try await client.wait(for: "route-unknown")
        try await root.add(.keeper("one"), .keeper)
        try await root.add(.teller, .teller())
        try await client.wait("open", #"{"route":"teller"}"#, for: #""title":"one""#)
    }

    @Test(
        "A damaged packed library keeps its module active and reports the reason until it is fixed",
        arguments: [(0, "it no longer contains a manifest"), (0.5, "it is truncated")])
    func damagedPacked(share: Double, cause: String) async throws {
        let manifest = try root.folder.write(ManifestText.version().text, to: "version.json")
        var packed: [Data] = []
        for version in ["1", "2"] {
            try put(try await bytes(.version(version)))
            #expect(try await ChildProcess(Products.host, ["pack", plugin, manifest]).run().ending == .code(0))
            packed.append(try Data(contentsOf: URL(filePath: plugin)))
        }
        try put(packed[0])
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        // Overwrites the file in place, as an interrupted copy does.
        try packed[1].prefix(Int(Double(packed[1].count) * share)).write(to: URL(filePath: plugin))
        try await client.wait("modules", "{}", for: cause)
        try await host.wait(
            forLog: #"keeps module version 1.0.0: cannot use library "Plugins/libVersion.so""#)
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        #expect(try await client.call("modules").contains(#""state":"active""#))
        try put(packed[1])
        try await client.wait(for: #""title":"2""#)
        #expect(try await client.call("modules").contains("rejection") == false)
    }

    @Test(
        "A library that replaces one that was never opened does not run with the earlier manifest",
        arguments: [false, true])
    func replacedBeforeFirstUse(isIsolated: Bool) async throws {
        var packed: [Data] = []
        for version in ["1", "2"] {
            var manifest = ManifestText.version()
            manifest.isolation = isIsolated ? "process" : nil
            let text = manifest.text.replacing("1.0.0", with: "\(version).0.0")
            let file = try root.folder.write(text, to: "version.json")
            try put(try await bytes(.version(version)))
            #expect(try await ChildProcess(Products.host, ["pack", plugin, file]).run().ending == .code(0))
            packed.append(try Data(contentsOf: URL(filePath: plugin)))
        }
        try put(packed[0])
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("modules").contains(#""version":"1.0.0""#))
        // While another user can change Manifests, the host does not read the root, so it does not see the replacement.
        try #require(chmod("\(root.path)/Manifests", 0o777) == 0)
        try put(packed[1])
        try await host.wait(forLog: "every user can change \(root.path)/Manifests")
        let refused = try await client.call("open", #"{"route":"version"}"#)
        #expect(refused.contains("module-outdated"), "\(refused)")
        #expect(refused.contains("libVersion.so was replaced after its manifest was read"), "\(refused)")
        try #require(chmod("\(root.path)/Manifests", 0o755) == 0)
        try await client.wait(for: #""title":"2""#)
        #expect(try await client.call("modules").contains(#""version":"2.0.0""#))
        #expect(!host.log.contains("the file is used"))
    }

    @Test("A module whose manifest is moved away and back all the time never stops responding")
    func restless() async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        try await client.wait(for: #""title":"1""#)
        let manifest = "\(root.path)/Manifests/version.json"
        let absence = Absence()
        async let moves = onOwnThread {
            var count = 0
            while !absence.isOver {
                absence.begin()
                guard rename(manifest, manifest + "~") == 0, rename(manifest + "~", manifest) == 0 else { return -1 }
                absence.end()
                count += 1
                usleep(500)
            }
            return count
        }
        defer { absence.stop() }
        var opened = 0
        while opened < 300 {
            let answer = try await client.call("open", #"{"route":"version"}"#)
            if answer.contains(#""title":"1""#) {
                opened += 1
            } else {
                // A busy machine may stop the thread while the manifest is away. Then the host may remove the module.
                #expect(absence.takeLongest() >= .milliseconds(100), "\(answer)")
                try await client.wait(for: #""title":"1""#)
            }
        }
        absence.stop()
        #expect(await moves > 0)
        try FileManager.default.removeItem(atPath: manifest)
        try await client.wait(for: "route-unknown")
    }

    @Test("A module that is retried without success stays refused throughout")
    func triedInVain() async throws {
        let state = ["XDG_STATE_HOME": "\(root.folder.path)/state"]
        let crash = "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1"
        try await root.add(.version("1", making: crash), .version())
        let host = try await ServingHost(root, environment: state)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("library-quarantined"))
        _ = try await client.call("subscribe", #"{"to":["registry"]}"#)
        // Any change in the quarantine folder makes the host retry refused modules.
        try root.folder.write("", to: "state/viper-host/quarantine/other")
        try root.add(ManifestText("other", library: "libNone.so", routes: ["other"]))
        // One scan may find both changes, and report the second before the retry. The next scan follows the retry.
        for next in ["other", "last"] {
            var line = ""
            while !line.contains(#""module":"\#(next)","state":"refused""#) {
                line = try await client.line(with: #""method":"registry""#)
                #expect(!line.contains(#""module":"version","state":"discovered""#), "\(line)")
                #expect(!line.contains(#""module":"version","state":"resolved""#), "\(line)")
            }
            try root.add(ManifestText("last", library: "libNone.so", routes: ["last"]))
        }
    }
}
