import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Scenes of an isolated module, whose worker is shared by all clients of the host.
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

    @Test("A scene that closes itself after a replacement gets its response, then its worker ends")
    func leaveReplaced() async throws {
        let host = try await ServingHost(root)
        let client = try host.client()
        #expect(try await client.call("open", #"{"route":"serve"}"#).contains(#""text":"loaded""#))
        _ = try await client.call("subscribe", #"{"to":["registry"]}"#)
        // The same code with another digest.
        try root.folder.write(Data(contentsOf: URL(filePath: plugin)) + [0], to: "new")
        try #require(rename("\(root.folder.path)/new", plugin) == 0)
        _ = try await client.line(with: #""generation":2,"module":"serve""#)
        try await client.wait("statistics", "{}", for: #""retired":1"#)
        let answer = try await client.call("event", #"{"scene":1,"event":{"press":"leave"}}"#)
        #expect(answer.contains(#""closed":true"#), "\(answer)")
        try await client.wait("statistics", "{}", for: #""retired":1"#, isThere: false)
    }

    @Test("Each client can open all its scenes and make a call in each of them")
    func clients() async throws {
        let gate = "\(root.folder.path)/gate"
        try root.folder.write(#"{"workerEnvironment": ["GATE"]}"#, to: "root/host.json")
        let host = try await ServingHost(root, "--limit", "scenes=60", environment: ["GATE": gate])
        let clients = [try host.client(), try host.client()]
        for client in clients {
            let opens = try (1...60).map { _ in try client.begin("open", #"{"route":"serve"}"#) }
            #expect(try await count(opens, of: client, with: #""text":"loaded""#) == 60)
            let refusal = try await client.call("open", #"{"route":"serve"}"#)
            #expect(refusal.contains("this connection has 60 open scenes"), "\(refusal)")
        }
        let calls = try clients.map { client in
            try (1...60).map { try client.begin("event", #"{"scene":\#($0),"event":{"press":"wait"}}"#) }
        }
        // The host has received all calls when it responds to this one. No call ends before the gate opens.
        for client in clients { _ = try await client.call("ping") }
        try root.folder.write("", to: "gate")
        for (client, calls) in zip(clients, calls) {
            #expect(try await count(calls, of: client, with: #""text":"loaded, waited""#) == 60)
        }
    }

    @Test("Large events that a worker has not read yet end neither the worker nor the scenes of other clients")
    func unread() async throws {
        let host = try await ServingHost(root, "--limit", "time=1000")
        let (greedy, other) = (try host.client(), try host.client())
        _ = try await other.call("open", #"{"route":"serve"}"#)
        let opens = try (1...30).map { _ in try greedy.begin("open", #"{"route":"serve"}"#) }
        #expect(try await count(opens, of: greedy, with: #""text":"loaded""#) == 30)
        let worker = try #require(
            try await other.call("statistics").firstMatch(of: /"process":(\d+)/).flatMap { Int32($0.1) })
        #expect(kill(worker, SIGSTOP) == 0)
        defer { kill(worker, SIGCONT) }
        // More than a connection of one client may leave unread.
        let text = String(repeating: "x", count: 500_000)
        for scene in 1...30 {
            _ = try greedy.begin("event", #"{"scene":\#(scene),"event":{"fill":"none","text":"\#(text)"}}"#)
        }
        // The host has sent all events when it responds to this one.
        _ = try await greedy.call("ping")
        #expect(kill(worker, SIGCONT) == 0)
        let answer = try await other.call("event", #"{"scene":1,"event":{"press":"print"}}"#)
        #expect(answer.contains("printed"), "\(answer)")
    }

    private func count(_ calls: [Int], of client: TestClient, with text: String) async throws -> Int {
        var count = 0
        for call in calls where try await client.answer(to: call).contains(text) { count += 1 }
        return count
    }
}
