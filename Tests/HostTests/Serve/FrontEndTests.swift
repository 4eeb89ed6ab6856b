import Foundation
import HostDriver
import TestSupport
import Testing

/// A front end in a serving host: a module that shows windows, and is replaced while they are open.
@Suite(.fewAtOnce, .hangLimit)
struct FrontEndTests {
    private let root: ScratchRoot
    private let state: String

    init() throws {
        root = try ScratchRoot()
        state = "\(root.folder.path)/state"
        try root.copyManifest("launcher")
    }

    /// The lines that the front end has written.
    private var screens: [String] {
        let text = try? String(contentsOfFile: "\(state)/modules/front-end/screens", encoding: .utf8)
        return text?.split(separator: "\n").map(String.init) ?? []
    }

    /// Waits until both windows show these titles to a version of the front end.
    private func wait(for titles: String, by version: String) async throws {
        let lines = (1...2).map { "\(version) \($0) open \(titles)" }
        #expect(await eventually { Set(screens).isSuperset(of: lines) }, "\(screens)")
    }

    @Test(
        "A front end of 60 lines is replaced while its windows are open, and they close when nobody shows them", .long)
    func replacement() async throws {
        let source = ModuleFixture.frontEnd("1").source
        #expect(source.split(separator: "\n", omittingEmptySubsequences: false).count <= 60)
        try await root.add(.frontEnd("1"), .frontEnd)
        let host = try await ServingHost(root, "--state", state)
        let client = try host.client()
        try await wait(for: "Companies", by: "1")

        let library = try await ModuleFixture.frontEnd("2").compiled()
        let staged = root.folder.path + "/staged.so"
        try copyFile(library, to: staged)
        #expect(rename(staged, "\(root.path)/Plugins/libFrontEnd.so") == 0)
        try await wait(for: "Companies", by: "2")
        var annex = ManifestText.version()
        annex.contributes = #"{ "menu": [{ "title": "annex", "route": "version" }] }"#
        try await root.add(.version("1"), annex)
        try await wait(for: "annex, Companies", by: "2")
        #expect(screens.allSatisfy { $0.contains(" open ") }, "\(screens)")
        #expect(!screens.contains { $0.hasPrefix("1 ") && $0.contains("annex") }, "\(screens)")
        // The scenes were never opened again.
        #expect(try await openScenes(client) == 2)

        let removal = ContinuousClock.now
        try FileManager.default.removeItem(atPath: "\(root.path)/Manifests/front-end.json")
        _ = try await eventually { try await openScenes(client) == 0 }
        #expect(ContinuousClock.now - removal >= .seconds(10))
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
    }

    /// Returns the number of open scenes of the launcher.
    private func openScenes(_ client: TestClient) async throws -> Int? {
        struct Answer: Decodable {
            struct Module: Decodable { var module: String, openScenes: Int }
            var result: [Module]
        }
        let answer = try JSONDecoder().decode(Answer.self, from: Data(try await client.call("statistics").utf8))
        return answer.result.first { $0.module == "launcher" }?.openScenes
    }

    @Test("A front end cannot be isolated, and the reason names the service")
    func isolated() async throws {
        try await root.add(.frontEnd("1"), .frontEnd)
        try root.folder.write(#"{ "isolate": ["front-end"] }"#, to: "root/host.json")
        let result = try await root.host("modules", "--state", state)
        #expect(result.text.contains("it uses \"windows\", which exists only in the host's process"), "\(result)")
    }
}
