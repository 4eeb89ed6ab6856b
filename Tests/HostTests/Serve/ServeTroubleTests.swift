import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce, .hangLimit)
struct ServeTroubleTests {
    private func press(_ action: String, _ scene: Int = 1) -> String { ServeTests.press(action, scene) }

    @Test("A client that disconnects closes its own scenes only")
    func vanished() async throws {
        let (host, _) = try await ServeTests.served()
        let (one, two) = (try host.client(), try host.client())
        for client in [one, two] { _ = try await client.call("open", #"{"route":"serve"}"#) }
        one.vanish()
        try await host.wait(forLog: "serve: error: freed\n")
        #expect(try await two.call("event", press("print")).contains("printed"))
        #expect(host.log.components(separatedBy: "freed").count == 2)
    }

    @Test("A client that disconnects during a call ends the call and its scene")
    func vanishedInside() async throws {
        let (host, _) = try await ServeTests.served()
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        try client.begin("event", press("wait"))
        client.vanish()
        try await host.wait(forLog: "serve: error: freed\n")
    }

    @Test("A client that does not read is disconnected, and other clients are served")
    func slow() async throws {
        let (host, _) = try await ServeTests.served("--limit", "pending=300000", environment: ["ROWS": "2000"])
        let (slow, other) = (try host.client(), try host.client())
        _ = try await slow.call("open", #"{"route":"serve"}"#)
        // Each response has about 60 kB, and the system's buffer about 200 kB.
        for _ in 0..<30 { try slow.begin("event", press("many")) }
        try await host.wait(forLog: "serve: error: freed\n")
        #expect(try await other.call("ping").contains(#""result":{}"#))
    }

    @Test("A module that blocks the main actor blocks no listing, time limit or other connection")
    func blocked() async throws {
        let (host, gate) = try await ServeTests.served("--limit", "time=2")
        let (one, two) = (try host.client(), try host.client())
        let scene = try await ServeTests.open(one)
        let blocking = try one.begin("event", press("block", scene))
        try await host.wait(forLog: "serve: error: blocks\n")
        #expect(try await two.call("routes").contains("serve/child"))
        #expect(try await two.call("ping").contains("time-limit"))
        #expect(try await one.call("modules").contains(#""state":"active""#))
        #expect(try await one.answer(to: blocking).contains("time-limit"))
        try gate.open()
        // The late event is discarded, and the scene still exists.
        try await one.wait("event", press("print", scene), for: "printed")
        try await two.wait("ping", "{}", for: #""result":{}"#)
    }

    @Test("Events of a busy scene are handled in order, and other scenes do not wait")
    func order() async throws {
        let (host, gate) = try await ServeTests.served("--limit", "time=1000")
        let client = try host.client()
        _ = try await client.call("open", #"{"route":"serve"}"#)
        _ = try await client.call("open", #"{"route":"serve"}"#)
        try client.begin("event", press("wait"))
        let words = (0..<20).map { "w\($0)" }
        let ids = try words.map { try client.begin("event", #"{"scene":1,"event":{"fill":"name","text":"\#($0)"}}"#) }
        #expect(try await client.call("event", press("print", 2)).contains("printed"))
        try gate.open()
        let last = try await client.answer(to: ids[19])
        #expect(last.contains("loaded, waited " + words.joined(separator: " ")), "\(last)")
    }

    @Test("The limits of scenes, calls, pending data, messages and connections are enforced")
    func limits() async throws {
        let (host, gate) = try await ServeTests.served(
            "--limit", "scenes=2", "--limit=calls=2", "--limit", "connections=2", "--limit", "message=1000", "--limit",
            "pending=3000", environment: ["ROWS": "200"])
        let (client, other) = (try host.client(), try host.client())
        func expect(_ limit: String, _ answer: String) {
            #expect(
                answer.contains(#""code":"limit-reached""#) && answer.contains(#""subject":"\#(limit)""#), "\(answer)")
            #expect(answer.contains(#""fix":"start the host with --limit \#(limit)=VALUE""#), "\(answer)")
        }
        _ = try await other.call("ping")
        for _ in 1...2 { _ = try await client.call("open", #"{"route":"serve"}"#) }
        expect("scenes", try await client.call("open", #"{"route":"serve"}"#))
        _ = try await client.call("close", #"{"scene":1}"#)
        #expect(try await client.call("open", #"{"route":"serve"}"#).contains(#""scene":3"#))
        let waiting = try [2, 3].map { try client.begin("event", press("wait", $0)) }
        expect("calls", try await client.call("ping"))
        try gate.open()
        for id in waiting {
            let answer = try await client.answer(to: id)
            #expect(answer.contains("waited"), "\(answer)")
        }
        expect("pending", try await client.call("event", press("many", 2)))
        try client.send(String(repeating: "x", count: 1001))
        expect("message", try await client.line(with: "limit-reached"))
        let third = try host.client()
        expect("connections", try await third.line(with: "jsonrpc"))
        try await third.end()
        other.vanish()
        #expect(await eventually { (try? await host.client().call("ping"))?.contains(#""result":{}"#) == true })
    }

    @Test("One process cannot use all connections, and another one still connects")
    func processes() async throws {
        let (host, _) = try await ServeTests.served("--limit", "connections=16")
        var clients: [TestClient] = []
        for _ in 0..<14 {
            clients.append(try host.client())
            _ = try await clients.last?.call("ping")
        }
        let refused = try await host.client().line(with: "jsonrpc")
        #expect(
            refused.contains("all 16 connections are in use, except 2 for processes that have none"), "\(refused)")
        let other = try await ChildProcess(Products.host, ["run", "serve", "--via", host.socket]).run()
        #expect(other.ending == .code(0) && other.text.contains("loaded"), "\(other)")
        withExtendedLifetime(clients) {}
    }

    @Test("A host without descriptors keeps running, logs it once, and accepts waiting clients later")
    func descriptors() async throws {
        let (host, _) = try await ServeTests.served()
        var clients = [try host.client()]
        _ = try await clients[0].call("ping")
        // The open descriptors and three more. Some may be open only briefly, which leaves room for others.
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(host.process)/fd").count
        let limited = try await ChildProcess("prlimit", ["--pid", "\(host.process)", "--nofile=\(open + 3)"]).run()
        #expect(limited.ending == .code(0), "\(limited)")
        for _ in 0..<50 { clients.append(try host.client()) }
        try await host.wait(forLog: "cannot accept a connection: Too many open files")
        #expect(try await clients[0].call("routes").contains("serve"))
        let waiting = clients.removeLast()
        clients.removeAll()
        #expect(try await waiting.call("ping").contains(#""result":{}"#))
        #expect(host.log.components(separatedBy: "cannot accept").count == 2)
    }
}
