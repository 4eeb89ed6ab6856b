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

    @Test("--check-config tries the modules that would run, and finds names that nothing has", .needs(.web))
    func checkModules() async throws {
        let root = try ScratchRoot()
        for module in ["details", "web"] { try root.copyManifest(module) }
        func check(_ options: String..., isFound text: String) async throws {
            let found = try await root.host { $0.arguments = ["serve", "--check-config"] + options + $0.arguments }
            #expect(found.ending == .code(1) && found.text.contains(text), "\(found)")
        }
        #expect(try await root.host("serve", "--check-config", "--set", "web.listen=127.0.0.1:0").ending == .code(0))
        try await check("--set", "web.listen=999.1.1.1:80", isFound: "it is not an IP address and a port")
        try await check("--set", "web.listen=127.0.0.1:99999", isFound: "it is not an IP address and a port")
        try await check("--set", "web.listen=0.0.0.0:80", isFound: "and there is no certificate")
        let isolated = try await root.host("serve", "--check-config", "--isolate", "web")
        #expect(isolated.ending == .code(78) && isolated.errors.contains("cannot isolate \"web\""), "\(isolated)")
        try root.folder.write(
            #"{"guards": {"nosuch": ["list"]}, "disabled": ["details", "none"]}"#, to: "root/host.json")
        try await check(isFound: "\"host.json $.guards\": unknown module \"nosuch\"; its routes stay shut")
        try await check(isFound: "\"host.json $.disabled\": unknown module \"none\"")
        let all = try await root.host("check")
        #expect(all.ending == .code(1) && all.text.contains("unknown module \"nosuch\""), "\(all)")
    }

    @Test("A module that the settings refuse stays refused when the root is read again", .needs(.web))
    func refusedBySettings() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("web")
        try root.folder.write(#"{"isolate": ["web"], "set": {"web": {"listen": "127.0.0.1:0"}}}"#, to: "root/host.json")
        let host = try await ServingHost(root)
        let client = try host.client()
        for _ in 0..<2 {
            let modules = try await client.call("modules")
            #expect(modules.contains(#""operation":"cannot isolate""#), "\(modules)")
            _ = try await client.call("rescan")
        }
        #expect(!host.log.contains("serving pages on"), "\(host.log)")
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
