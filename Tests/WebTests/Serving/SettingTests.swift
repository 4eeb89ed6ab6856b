import Foundation
import HostDriver
import TestSupport
import Testing

/// The module's settings: where it listens, and who has to log in.
@Suite(.fewAtOnce, .hangLimit)
struct SettingTests {
    @Test("Without web.listen, the module does nothing")
    func none() async throws {
        let root = try await WebHost.root()
        let host = try await ServingHost(root, "--state", root.folder.path + "/state")
        #expect(try await host.client().wait("statistics", "{}", for: #""run":"idle""#).contains("web"))
        let other = try await ServingHost(
            WebHost.root(), "--state", root.folder.path + "/other", "--set", "web.windows=5", "--verbose")
        try await other.wait(forLog: "web: debug: serves no pages, because web.listen is not set")
    }

    @Test(
        "Settings that do not fit together are refused with the reason",
        arguments: [
            (["web.listen=0.0.0.0:0"], "other machines can reach this address"),
            (["web.listen=192.0.2.1:0"], "other machines can reach this address"),
            (["web.listen=127.0.0.1:0", "web.key=/x"], "web.certificate and web.key belong together"),
            (["web.listen=0.0.0.0:0", "web.key=/x", "web.certificate=/x"], "web.host is missing"),
            (["web.listen=[0:0:0::0]:0", "web.key=/x", "web.certificate=/x"], "web.host is missing"),
            (["web.listen=127.0.0.1:0", "web.host=a b"], "web.host is not a host name"),
            (["web.listen=127.0.0.1:0", "web.public=https://a.b/pages"], "has a path, and the pages work at the root"),
            (["web.listen=127.0.0.1:0", "web.public=http://a.b"], "does not begin with https://"),
            (["web.listen=127.0.0.1:0", "web.public=https://"], "no host name after https://"),
            (["web.listen=127.0.0.1:0", "web.public=https://a.b:0"], "is not a number from 1 to 65535"),
            (["web.listen=127.0.0.1:0", "web.public=https://x@a.b"], "no host name after https://"),
            (["web.listen=127.0.0.1:0", "web.public=https://a.b", "web.host=a.b"], "both name this server"),
            (["web.listen=127.0.0.1"], "it is not an IP address and a port"),
            (["web.listen=127.0.0.1:99999"], "it is not an IP address and a port"),
            (["web.listen=nonsense"], "it is not an IP address and a port"),
            (["web.listen=example.org:80"], "it is not an IP address and a port"),
            (["web.listen=127.0.0.1:0", "web.key=/none", "web.certificate=/none"], "No such file"),
        ])
    func refused(settings: [String], reason: String) async throws {
        let root = try await WebHost.root()
        let arguments = settings.flatMap { ["--set", $0] }
        let host = try await ServingHost(root, "--state", root.folder.path + "/state") { $0.arguments += arguments }
        try await host.wait(forLog: reason)
        #expect(try await host.client().call("ping").contains("result"))
    }

    @Test(
        "Beyond the loopback interface, pages need TLS and a login by an address that works once", .needs(.secureClient)
    )
    func login() async throws {
        let root = try await WebHost.root()
        let (certificate, key) = (root.folder.path + "/cert.pem", root.folder.path + "/key.pem")
        _ = try await Tool.run(
            "openssl",
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2"]
                + ["-subj", "/CN=office.example.org", "-addext", "subjectAltName=DNS:office.example.org"])
        let settings = ["web.host=office.example.org", "web.certificate=\(certificate)", "web.key=\(key)"]
        let web = try await WebHost(settings, address: "0.0.0.0:0", in: root)
        let base = "https://office.example.org:\(web.port)"
        #expect(web.host.log.contains("serving pages on \(base)/\n"))
        let address = try #require(web.host.log.firstMatch(of: /log in at (https:\S+)\n/)).1
        #expect(address.hasPrefix(base + "/_login/"))
        let jar = root.folder.path + "/jar"
        func curl(_ address: String, _ more: [String] = []) async throws -> String {
            try await Tool.run(
                "curl",
                ["-s", "-i", "--cacert", certificate, "--resolve", "office.example.org:\(web.port):127.0.0.1"]
                    + ["-b", jar, "-c", jar, address] + more)
        }
        #expect(try await curl(base + "/board").contains("HTTP/1.1 403"))
        #expect(try await curl(base + "/metrics").contains("HTTP/1.1 403"))
        #expect(try await curl(base + "/healthz").contains("HTTP/1.1 200"))
        #expect(try await curl(base + "/_login/00000000000000000000000000000000").contains("HTTP/1.1 403"))
        let login = try await curl(String(address))
        #expect(login.contains("HTTP/1.1 303") && login.contains("Set-Cookie: __Host-viper-\(web.port)="), "\(login)")
        #expect(login.contains("; Path=/; HttpOnly; SameSite=Strict; Secure"))
        #expect(try await curl(base + "/board", ["-L"]).contains("<h1"))
        #expect(try await curl(base + "/metrics").contains("# EOF"))
        // The address works once, and the log has the next one.
        #expect(try await curl(String(address)).contains("HTTP/1.1 403"))
        try await web.host.wait(forLog: "a browser has logged in; the next one logs in at \(base)/_login/")
        // Plain HTTP and old versions of TLS are refused.
        let plain = try web.connection()
        try plain.send("GET /board HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await !plain.end().contains("200"))
        // The client itself allows them only at this level.
        let ciphers = ["--ciphers", "DEFAULT@SECLEVEL=0", "--tlsv1.0", "--tls-max"]
        #expect(try await curl(base + "/board", ["-L"] + ciphers + ["1.2"]).contains("HTTP/1.1 200"))
        await #expect(throws: (any Error).self) { try await curl(base + "/board", ciphers + ["1.1"]) }
        #expect(!web.host.log.contains("\(login.firstMatch(of: /viper-\d+=([0-9a-f]+)/)?.1 ?? "none")"))
        #expect(try await web.end() == .code(0))
    }

    @Test("An address that is in use is reported, and tried again")
    func used() async throws {
        let first = try await WebHost()
        let root = try await WebHost.root()
        let host = try await ServingHost(root, "--state", root.folder.path + "/state") {
            $0.arguments += ["--set", "web.listen=127.0.0.1:\(first.port)"]
        }
        try await host.wait(forLog: "Address already in use")
        #expect(try await first.end() == .code(0))
        try await host.wait(forLog: "web: info: serving pages on http://127.0.0.1:\(first.port)/")
    }
}
