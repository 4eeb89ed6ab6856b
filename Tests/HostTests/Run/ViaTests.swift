import Foundation
import HostDriver
import TestSupport
import Testing

/// `--via`: a host that uses another host.
@Suite(.fewAtOnce, .hangLimit)
struct ViaTests {
    private func run(_ host: ServingHost, _ arguments: String..., input: String? = nil) async throws -> ChildResult {
        var child = ChildProcess(Products.host, arguments + ["--via", host.socket])
        if let input { child.input = input }
        return try await child.run()
    }

    @Test("A route is shown as by a local host")
    func list() async throws {
        let (host, _) = try await ServeTests.served()
        let result = try await run(host, "run", "list")
        #expect(result.ending == .code(0) && result.text == RunTests.list && result.errors == "", "\(result)")
        let person = try await run(host, "run", "list", "--select", "58f9a19680685a4e1e6d5016", "--format", "json")
        #expect(person.text.contains(#""title" : "Bertha Irwin""#), "\(person)")
        // The scenes of a client are closed, so the other host frees their views.
        let other = try await run(host, "run", "serve", "age=7", "--fill", "name=Ada")
        #expect(other.text.hasPrefix("serve\nage 7 Ada\n"), "\(other)")
        try await host.wait(forLog: "freed")
    }

    @Test("The client stacks scenes, which return results to each other in the other host")
    func navigation() async throws {
        let (host, _) = try await ServeTests.served()
        let child = try await run(host, "run", "serve", "--press", "child")
        #expect(child.text.hasPrefix("serve/child\nloaded\n"), "\(child)")
        let back = try await run(host, "run", "serve", "--press", "child", "--press", "done")
        #expect(back.text.hasPrefix("serve\nserve/child returned [1, 2]\n"), "\(back)")
        let left = try await run(host, "run", "serve", "--press", "leave")
        #expect(left.ending == .code(0) && left.text.hasPrefix("serve\nloaded\n"), "\(left)")
    }

    @Test("A session works with scenes that close")
    func session() async throws {
        let (host, _) = try await ServeTests.served()
        let folder = try ScratchFolder()
        let input = try folder.write("child\ndone\nchild\nback\nleave\n", to: "input")
        let result = try await run(host, "run", "serve", "-i", "--format", "json", input: input)
        #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        let titles = result.text.split(separator: "\n").map { $0.contains(#""title":"serve/child""#) }
        #expect(titles == [false, true, false, true, false], "\(result)")
    }

    @Test("A scene that changes and closes in one step shows its last screen wherever it runs")
    func lastScreen() async throws {
        let (direct, _) = try await ServeTests.served()
        let (isolating, _) = try await ServeTests.served("--isolate", "serve")
        let root = URL(filePath: direct.socket).deletingLastPathComponent().appending(path: "root").path
        let shown = try await ChildProcess(Products.host, ["run", "serve", "--press", "finish", "--root", root]).run()
        #expect(shown.ending == .code(0) && shown.text.hasPrefix("serve\nfinished\n"), "\(shown)")
        for place in [
            ["--via", direct.socket], ["--via", isolating.socket], ["--root", root, "--isolate", "serve"],
        ] {
            // Several runs, because the response arrives after the scene's end in about half of them.
            for _ in 1...5 {
                let result = try await ChildProcess(Products.host, ["run", "serve", "--press", "finish"] + place).run()
                #expect(result.ending == .code(0) && result.text == shown.text, "\(place): \(result)")
            }
        }
    }

    @Test("A session shows the last screen of a scene that changes before it closes")
    func lastScreenOfSession() async throws {
        let (host, _) = try await ServeTests.served()
        let folder = try ScratchFolder()
        let input = try folder.write("finish\n", to: "input")
        let result = try await run(host, "run", "serve", "-i", "--format", "json", input: input)
        let texts = result.text.matches(of: /"text":"(\w+)"/).map { String($0.1) }
        #expect(result.ending == .code(0) && texts == ["loaded", "finished"], "\(result)")
    }

    @Test("Errors and exit codes are the same as those of a local host")
    func mistakes() async throws {
        let (host, _) = try await ServeTests.served()
        let root = URL(filePath: host.socket).deletingLastPathComponent().appending(path: "root").path
        for arguments in [
            ["run", "lst"], ["run", "serve", "age=old"], ["run", "serve", "ag=1"], ["run", "serve", "--press", "x"],
            ["run", "list", "--select", "99"],
        ] {
            let own = try await ChildProcess(Products.host, arguments + ["--root", root]).run()
            let via = try await ChildProcess(Products.host, arguments + ["--via", host.socket]).run()
            // The module logs when its view is freed. This line appears only where the module runs.
            #expect(own.errors.hasSuffix(via.errors) && via.errors.hasPrefix("host: "), "\(via)\n\(own)")
            #expect(via.ending == own.ending && via.text == own.text)
        }
    }

    @Test("A host with its maximum of clients makes a further client exit with 69")
    func full() async throws {
        let (host, _) = try await ServeTests.served("--limit", "connections=1")
        let client = try host.client()
        _ = try await client.call("ping")
        let result = try await run(host, "run", "list")
        #expect(result.ending == .code(69), "\(result)")
        #expect(result.errors.contains("all 1 connections are in use"), "\(result)")
        withExtendedLifetime(client) {}
    }

    @Test("A missing host is an error that says how to start it")
    func missingHost() async throws {
        let folder = try ScratchFolder()
        let missing = try await ChildProcess(Products.host, ["run", "list", "--via", "\(folder.path)/s"]).run()
        #expect(missing.ending == .code(69))
        #expect(
            missing.errors == """
                host: cannot reach the host at "\(folder.path)/s": No such file or directory
                  fix: start it with host serve --socket \(folder.path)/s

                """)
    }

    @Test("A session reports a lost host by itself, and exits with 69", arguments: ["", "child\n"])
    func lostSession(line: String) async throws {
        let (host, _) = try await ServeTests.served()
        let session = try TerminalSession.host("run", "-i", "--plain", "serve", "--via", host.socket)
        try await session.wait(for: "> ")
        if !line.isEmpty {
            try session.type(line)
            try await session.wait(for: "> ")
        }
        host.send(SIGKILL)
        _ = try await host.end()
        let end = try await session.end()
        #expect(end.ending == .code(69), "\(end)")
        #expect(end.shown.components(separatedBy: "cannot reach \"\(host.socket)\"").count == 2, "\(end)")
    }

    @Test("A session exits with 69 if its host is killed during a call or ends by a signal")
    func lostInside() async throws {
        let (host, _) = try await ServeTests.served()
        let session = try TerminalSession.host("run", "-i", "--plain", "serve", "--via", host.socket)
        try await session.wait(for: "> ")
        try session.type("spin\n")
        try await host.wait(forLog: "spins")
        host.send(SIGKILL)
        _ = try await host.end()
        let end = try await session.end()
        #expect(end.ending == .code(69) && end.shown.contains("cannot reach \"\(host.socket)\""), "\(end)")
        let (other, _) = try await ServeTests.served()
        let second = try TerminalSession.host("run", "-i", "--plain", "serve", "--via", other.socket)
        try await second.wait(for: "> ")
        other.send(SIGTERM)
        #expect(try await second.end().ending == .code(69))
    }
}
