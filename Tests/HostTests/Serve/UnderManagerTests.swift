import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// A serving host under a service manager, such as systemd.
@Suite(.fewAtOnce, .hangLimit)
struct UnderManagerTests {
    @Test("A host tells the service manager when it is ready and when it ends", arguments: [false, true])
    func notices(isAbstract: Bool) async throws {
        let root = try ScratchRoot()
        let notices = try NoticeSocket(isAbstract ? "@viper-\(UUID())" : root.folder.path + "/notify")
        let host = try await ServingHost(root, environment: ["NOTIFY_SOCKET": notices.name])
        #expect(try await notices.next() == "READY=1")
        host.send(SIGTERM)
        #expect(try await notices.next() == "STOPPING=1")
        #expect(try await host.end() == .code(0))
    }

    @Test("--check-config checks settings and options, and serves nothing")
    func check() async throws {
        let root = try ScratchRoot()
        let good = try await root.host("serve", "--check-config")
        #expect(good.ending == .code(0) && good.text == "The settings and options are valid\n", "\(good)")
        try root.folder.write(#"{"limits": 1}"#, to: "root/host.json")
        let bad = try await root.host("serve", "--check-config")
        #expect(bad.ending == .code(78) && bad.errors.contains("host.json"), "\(bad)")
        #expect(bad.text.isEmpty)
        try root.folder.write(#"{"start": "none"}"#, to: "root/host.json")
        let unknown = try await root.host("serve", "--check-config")
        #expect(unknown.ending == .code(69) && unknown.errors.contains("cannot open route \"none\""), "\(unknown)")
        let found = try await root.host("check")
        #expect(found.ending == .code(1) && found.text.contains("cannot open route \"none\""), "\(found)")
        try root.folder.write(#"{"start": "list"}"#, to: "root/host.json")
        #expect(try await root.host("serve", "--check-config").ending == .code(0))
    }

    private struct Line: Decodable {
        var time, source, level, message: String
        var request: String?
    }

    @Test("The log is written as JSON, with the parts of each line")
    func json() async throws {
        let root = try ScratchRoot()
        try await root.add(.serve, .serve)
        let (host, client) = try ServingHost.atStandardIO(root, "--log-format", "json")
        _ = try await client.call("open", #"{"route":"serve"}"#)
        _ = try await client.call("event", #"{"scene":1,"event":{"press":"block"}}"#)
        try await host.wait(forLog: "blocks")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let lines = try host.timedLog.split(separator: "\n").map { line in
            try JSONDecoder().decode(Line.self, from: Data(line.utf8))
        }
        #expect(lines.allSatisfy { $0.time.contains("T") && $0.time.hasSuffix("Z") })
        let last = try #require(lines.first { $0.message.hasPrefix("shutting down; ") })
        #expect(last.source == "host" && last.level == "info" && last.request == nil)
        let blocks = try #require(lines.first { $0.message == "blocks" })
        #expect(blocks.source == "serve" && blocks.level == "error" && blocks.request?.hasPrefix("r-") == true)
        try root.folder.write(#"{"limits": 1}"#, to: "root/host.json")
        let failed = try await root.host("serve", "--log-format", "json")
        let line = try JSONDecoder().decode(Line.self, from: Data(failed.errors.utf8))
        #expect(failed.ending == .code(78) && line.level == "error" && line.message.contains("host.json"), "\(failed)")
        let wrong = try await root.host("serve", "--log-format", "xml")
        #expect(wrong.ending == .code(64) && wrong.errors.contains("write text or json"), "\(wrong)")
    }
}
