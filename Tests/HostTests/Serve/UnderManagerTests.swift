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

/// A socket at which a host tells its state.
private final class NoticeSocket: Sendable {
    let name: String
    private let descriptor: Int32

    init(_ name: String) throws {
        self.name = name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(name.utf8).map { $0 == UInt8(ascii: "@") ? 0 : $0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let result = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        if result != 0 { throw ChildFailure("cannot bind: \(String(cString: strerror(errno)))") }
    }

    deinit { close(descriptor) }

    /// Waits for the next notice.
    func next() async throws -> String {
        try await onOwnThread { [descriptor] in
            var bytes = [UInt8](repeating: 0, count: 4096)
            var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&ready, 1, Int32(Patience.reaction / .milliseconds(1))) == 1 else {
                throw ChildFailure("the host has told nothing")
            }
            let count = recv(descriptor, &bytes, bytes.count, 0)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }
    }
}
