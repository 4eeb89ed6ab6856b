import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Libraries that are still being written when the host finds them.
@Suite(.fewAtOnce, .hangLimit)
struct HalfWrittenTests {
    private let root: ScratchRoot
    private var plugin: String { "\(root.path)/Plugins/libVersion.so" }
    private static let beingWritten = "a process has it open for writing"

    init() throws {
        root = try ScratchRoot()
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/company-list.json")
    }

    private func bytes(_ version: String) async throws -> Data {
        try Data(contentsOf: URL(filePath: await ModuleFixture.version(version).compiled()))
    }

    /// Returns the bytes of a library that carries its manifest.
    private func packed(_ version: String) async throws -> Data {
        let library = try root.folder.write(try await bytes(version), to: "packed/libVersion.so")
        let manifest = try root.folder.write(ManifestText.version().text, to: "packed/version.json")
        #expect(try await ChildProcess(Products.host, ["pack", library, manifest]).run().ending == .code(0))
        return try Data(contentsOf: URL(filePath: library))
    }

    /// A slow program that overwrites a file without truncating it.
    private final class SlowWriter {
        private let file: FileHandle
        private let content: Data
        private var half: Int { content.count / 2 }

        /// Writes the first half.
        init(_ content: Data, to path: String) throws {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
            try #require(descriptor >= 0)
            (file, self.content) = (FileHandle(fileDescriptor: descriptor, closeOnDealloc: true), content)
            try file.write(contentsOf: content.prefix(half))
        }

        /// Writes the rest, and closes the file.
        func finish() throws {
            try file.write(contentsOf: content.suffix(from: half))
            try file.truncate(atOffset: UInt64(content.count))
            try file.close()
        }
    }

    @Test(
        "A library that is overwritten in place is loaded once its writer has closed it",
        arguments: ["another file", "SIGHUP"])
    func overwritten(trigger: String) async throws {
        try await root.add(.version("1"), .version())
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        try await client.wait(for: #""title":"1""#)
        for (round, version) in ["2", "1", "2"].enumerated() {
            let earlier = version == "1" ? "2" : "1"
            let writer = try SlowWriter(try await bytes(version), to: plugin)
            if trigger == "SIGHUP" {
                host.send(SIGHUP)
            } else {
                try root.add(ManifestText("other\(round)", library: "libNone.so", routes: []))
            }
            let answer = try await client.wait("modules", "{}", for: "library-unfinished")
            #expect(answer.contains(Self.beingWritten) && answer.contains(#""state":"active""#))
            #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"\#(earlier)""#))
            #expect(try await client.call("statistics").contains(#""generations":\#(round + 1),"#))
            try writer.finish()
            try await client.wait(for: #""title":"\#(version)""#)
            try await client.wait("modules", "{}", for: "rejection", isThere: false)
        }
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    @Test(
        "A library that is being written is refused until it is complete", arguments: [[], ["--isolate", "version"]])
    func firstOpen(options: [String]) async throws {
        try root.add(.version())
        let writer = try SlowWriter(try await bytes("1"), to: plugin)
        let host =
            options.isEmpty
            ? try await ServingHost(root) : try await ServingHost(root, options[0], options[1])
        let client = try host.client()
        let answer = try await client.call("open", #"{"route":"version"}"#)
        #expect(answer.contains("library-unfinished") && answer.contains(plugin), "\(answer)")
        #expect(try await client.call("modules").contains("library-unfinished"))
        try writer.finish()
        try await client.wait(for: #""title":"1""#)
    }

    @Test("A new module whose library is being written is usable once the library is complete")
    func arrival() async throws {
        let host = try await ServingHost(root)
        let client = try host.client()
        let writer = try SlowWriter(try await bytes("1"), to: plugin)
        try root.add(.version())
        try await client.wait("modules", "{}", for: "library-unfinished")
        // The host may have seen the library before the manifest. Until it sees the manifest, it knows no such route.
        try await client.wait(for: "library-unfinished")
        try writer.finish()
        try await client.wait(for: #""title":"1""#)
        try await client.wait("modules", "{}", for: "library-unfinished", isThere: false)
    }

    @Test("The manifest in an incomplete library is ignored: an existing module stays, and a new one waits")
    func packedManifest() async throws {
        let (first, second) = (try await packed("1"), try await packed("2"))
        let host = try await ServingHost(root, "--limit", "scenes=100000")
        let client = try host.client()
        let one = try SlowWriter(first, to: plugin)
        try root.add(ManifestText("other", library: "libNone.so", routes: []))
        try await client.wait("modules", "{}", for: "library-unfinished")
        #expect(try await client.call("open", #"{"route":"version"}"#).contains("route-unknown"))
        try one.finish()
        try await client.wait(for: #""title":"1""#)
        let two = try SlowWriter(second, to: plugin)
        host.send(SIGHUP)
        let answer = try await client.wait("modules", "{}", for: "library-unfinished")
        #expect(answer.contains(#""state":"active""#))
        #expect(try await client.call("open", #"{"route":"version"}"#).contains(#""title":"1""#))
        try two.finish()
        try await client.wait(for: #""title":"2""#)
    }

    @Test("host run waits for an incomplete library, even if the manifest is in it", arguments: [false, true])
    func runWaits(isPacked: Bool) async throws {
        let content = try await isPacked ? packed("1") : bytes("1")
        if !isPacked { try root.add(.version()) }
        let writer = try SlowWriter(content, to: plugin)
        let opens = try OpenCount(of: plugin)
        async let result = root.host("run", "version")
        // The host retries until the file is complete.
        try await opens.wait(for: 3)
        try writer.finish()
        let ended = try await result
        #expect(ended.ending == .code(0), "\(ended)")
        #expect(ended.text.hasPrefix("1\n"), "\(ended)")
    }

    @Test("host run gives up on an incomplete library and names the file", arguments: [false, true])
    func runGivesUp(isPacked: Bool) async throws {
        let content = try await isPacked ? packed("1") : bytes("1")
        if !isPacked { try root.add(.version()) }
        let writer = try SlowWriter(content, to: plugin)
        let result = try await root.host("run", "version")
        #expect(result.ending == .code(69))
        #expect(
            result.errors == """
                host: cannot load library "libVersion.so": \(Self.beingWritten)
                  file  \(plugin)
                  fix: wait until it is complete, then retry; fuser \(plugin) shows the process that has it open

                """)
        try writer.finish()
    }
}

/// The number of times that a file was opened, counted with inotify(7).
private final class OpenCount {
    private let descriptor: Int32

    init(of path: String) throws {
        descriptor = inotify_init1(O_CLOEXEC | O_NONBLOCK)
        try #require(inotify_add_watch(descriptor, path, UInt32(IN_OPEN)) >= 0)
    }

    deinit { close(descriptor) }

    /// Waits until the file was opened `count` times. Simultaneous opens may count as one.
    func wait(for count: Int) async throws {
        let deadline = ContinuousClock.now + .seconds(30)
        var seen = 0
        while seen < count, ContinuousClock.now < deadline {
            var buffer = [UInt8](repeating: 0, count: 4096)
            if read(descriptor, &buffer, buffer.count) > 0 {
                seen += 1
            } else {
                try await Task.sleep(for: .milliseconds(2))
            }
        }
        try #require(seen >= count)
    }
}
