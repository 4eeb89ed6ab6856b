import Foundation
import TestSupport
import Testing

/// Scenes of a module in a process of its own, which all clients of the host share.
@Suite(.fewAtOnce, .hangLimit)
struct IsolatedSceneTests {
    private let root: ScratchRoot
    private var plugin: String { "\(root.path)/Plugins/libServe.so" }

    init() async throws {
        root = try ScratchRoot()
        var manifest = ManifestText.serve
        manifest.isolation = "process"
        try await root.add(.serve, manifest)
    }

    @Test("a scene that closes itself after its module was replaced gets its answer, and then its worker ends")
    func leaveReplaced() async throws {
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"serve"}"#).contains(#""text":"loaded""#))
        _ = try await client.call("subscribe", #"{"to":["registry"]}"#)
        // Of the same code, and known by another digest.
        try root.folder.write(Data(contentsOf: URL(filePath: plugin)) + [0], to: "new")
        try #require(rename("\(root.folder.path)/new", plugin) == 0)
        _ = try await client.line(with: #""generation":2,"module":"serve""#)
        try await client.wait("statistics", "{}", for: #""retired":1"#)
        let answer = try await client.call("send", #"{"scene":1,"event":{"press":"leave"}}"#)
        #expect(answer.contains(#""closed":true"#), "\(answer)")
        // Nothing of it stays behind.
        try await client.wait("statistics", "{}", for: #""retired":1"#, isThere: false)
    }

    @Test("clients take nothing from each other: each has all scenes and calls that a connection may have")
    func clients() async throws {
        let gate = "\(root.folder.path)/gate"
        try root.folder.write(#"{"workerEnvironment": ["GATE"]}"#, to: "root/host.json")
        let host = try await ServingHost(root, "--limit", "scenes=60", environment: ["GATE": gate])
        let clients = [try host.client(), try host.client()]
        for client in clients {
            let opens = try (1...60).map { _ in try client.begin("open", #"{"route":"serve"}"#) }
            #expect(try await count(opens, of: client, with: #""text":"loaded""#) == 60)
            let refusal = try await client.call("open", #"{"route":"serve"}"#)
            #expect(refusal.contains("60 scenes of this connection are open"), "\(refusal)")
        }
        let calls = try clients.map { client in
            try (1...60).map { try client.begin("send", #"{"scene":\#($0),"event":{"press":"wait"}}"#) }
        }
        // All have come to the host when it answers this, and none ends before the gate is open.
        for client in clients { _ = try await client.call("ping") }
        try root.folder.write("", to: "gate")
        for (client, calls) in zip(clients, calls) {
            #expect(try await count(calls, of: client, with: #""text":"loaded, waited""#) == 60)
        }
    }

    /// How many of a client's calls are answered with this text.
    private func count(_ calls: [Int], of client: TestClient, with text: String) async throws -> Int {
        var count = 0
        for call in calls where try await client.answer(to: call).contains(text) { count += 1 }
        return count
    }
}
