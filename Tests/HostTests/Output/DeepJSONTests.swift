import Foundation
import HostDriver
import TestSupport
import Testing

/// JSON with more nested brackets than Foundation's decoder survives, from every source. The host refuses each one with
/// its position.
@Suite(.fewAtOnce, .hangLimit)
struct DeepJSONTests {
    private let root: ScratchRoot
    private static let refusal = ":1:513\": the text is nested more than 512 levels deep\n"

    init() throws { root = try ScratchRoot() }

    private func brackets(_ count: Int) -> String { String(repeating: "[", count: count) }

    private func expectRefused(_ code: Int32, _ file: String, _ result: ChildResult) {
        #expect(result.ending == .code(code), "\(result)")
        #expect((result.text + result.errors).contains(file + Self.refusal), "\(result)")
    }

    @Test("Deep nesting in a module's source folder is refused", arguments: [513, 100_000])
    func source(count: Int) async throws {
        try root.folder.write(brackets(count), to: "Deep/deep.json")
        try root.folder.write("import ViperKit\n", to: "Deep/Deep.swift")
        expectRefused(78, "/Deep/deep.json", try await root.host("build", "\(root.folder.path)/Deep"))
    }

    @Test("Deep nesting in a packed manifest is refused, and inspect shows the manifest")
    func embedded() async throws {
        let library = CLibraryFixture(
            "libDeep.so",
            """
            __attribute__((section(".viper_manifest"), used)) static const char manifest[513] = "\(brackets(513))";
            """)
        let path = try await library.compiled()
        expectRefused(78, "libDeep.so", try await root.host("test", path))
        #expect(
            try await ChildProcess(Products.host, ["inspect", path]).run().text.hasSuffix(
                "\nPacked manifest:\n\(brackets(513))\n"))
        try root.copy(path, to: "libDeep.so")
        expectRefused(0, "libDeep.so", try await root.host("modules"))
    }

    @Test("Deep nesting in a manifest or in host.json is refused")
    func rootFiles() async throws {
        try root.add(manifest: brackets(513), as: "deep.json")
        expectRefused(0, "Manifests/deep.json", try await root.host("modules"))
        #expect(try await root.host("test", "deep").ending == .code(69))
        #expect(try await root.host("run", "list").text == RunTests.list)
        try root.folder.write(brackets(513), to: "root/host.json")
        expectRefused(78, "host.json", try await root.host("run", "list"))
    }

    @Test("Deep nesting in a module's data or in a quarantine report is reported")
    func state() async throws {
        try root.folder.write(brackets(513), to: "data/company.json")
        let list = try await root.host("run", "list", "--data", "\(root.folder.path)/data")
        #expect(list.ending == .code(0) && list.text.contains("company.json" + Self.refusal), "\(list)")
        let digest = String(repeating: "1", count: 64)
        try root.folder.write(brackets(513), to: "state/quarantine/\(digest).json")
        let quarantine = try await root.host("quarantine", "--state", "\(root.folder.path)/state")
        #expect(quarantine.ending == .code(0) && quarantine.errors.contains("nested more than 512 levels"))
    }

    @Test("Deep nesting in a message is refused")
    func message() async throws {
        let (host, client) = try ServingHost.atStandardIO(root)
        for text in [brackets(513), "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"open\",\"params\":" + brackets(512)] {
            try client.send(text)
            #expect(try await client.line(with: "\"error\"").contains("nested more than 512 levels deep"))
        }
        #expect(try await client.call("open", #"{"route":"list"}"#).contains("People by company"))
        withExtendedLifetime(host) {}
    }
}
