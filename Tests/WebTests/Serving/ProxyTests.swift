import Foundation
import HostDriver
import TestSupport
import Testing

/// A server behind a proxy that ends TLS.
@Suite(.fewAtOnce, .hangLimit)
struct ProxyTests {
    /// Starts a host at a port that its log does not show.
    private static func host(_ settings: String...) async throws -> WebHost {
        try await WebHost(settings, address: "127.0.0.1:\(ActivationTests.freePort())")
    }

    @Test(
        "Behind nginx with its defaults, logins, links, forms and cookies work, and streams arrive at once",
        .needs(.nginx))
    func nginx() async throws {
        let web = try await Self.host("web.public=\(Proxy.address)")
        let proxy = try await Proxy(to: web.port)
        #expect(web.host.log.contains("serving pages on \(Proxy.address)/\n"), "\(web.host.log)")
        #expect(try await proxy.curl("/board").contains("HTTP/1.1 403"))
        let login = try #require(web.host.log.firstMatch(of: /log in at https:\/\/office.example.org(\/_login\/\S+)\n/))
            .1
        let begun = try await proxy.curl(String(login))
        #expect(begun.contains("HTTP/1.1 303") && begun.contains("Location: /\r\n"), "\(begun)")
        #expect(begun.contains("Set-Cookie: __Host-viper-\(web.port)=") && begun.contains("; Secure"), "\(begun)")
        #expect(begun.contains("Strict-Transport-Security: max-age="), "\(begun)")
        let opened = try await proxy.curl("/board", "-L")
        let page = Browser.Page(
            address: "", response: WebResponse(status: 200, fields: [], body: opened))
        #expect(page.title == "1 board" && !page.window.isEmpty, "\(opened)")
        #expect(!opened.contains("127.0.0.1"), "\(opened)")
        #expect(try await proxy.curl("/_web/web.css").contains("HTTP/1.1 200"))
        // The header of a stream, its first bytes and each event arrive while the stream is open.
        let (path, process) = try await proxy.stream("/_window/\(page.window)/changes?from=\(page.nonce)")
        defer { kill(process, SIGTERM) }
        func received(_ text: String) async -> Bool {
            await eventually { (try? String(contentsOfFile: path, encoding: .utf8))?.contains(text) ?? false }
        }
        #expect(await received("Content-Type: text/event-stream; charset=utf-8\r\n"))
        #expect(await received("\r\n\r\n:\n\n"))
        let form = [
            "--data-urlencode", "token=\(page.token)", "--data-urlencode", "nonce=\(page.nonce)", "-d", "press=add",
        ]
        let target = "/_window/\(page.window)"
        for origin in ["https://evil.example", "http://office.example.org", "http://127.0.0.1:\(web.port)", "null"] {
            let refused = try await proxy.curl(
                target, form[0], form[1], form[2], form[3], "-d", "press=add", "-H", "Origin: \(origin)")
            #expect(refused.contains("HTTP/1.1 403"), "\(origin): \(refused)")
        }
        let added = try await proxy.curl(
            target, form[0], form[1], form[2], form[3], "-d", "press=add", "-H", "Origin: \(Proxy.address)")
        #expect(added.contains("HTTP/1.1 303"), "\(added)")
        #expect(await received("event: screen\n"))
        let next = try #require(added.firstMatch(of: /Location: (\S+)\r\n/)).1
        #expect(try await proxy.curl(String(next)).contains("1 add"))
        #expect(try await web.end() == .code(0))
    }

    @Test("Only the names of the proxy and of the server are answered, whatever else a request says")
    func names() async throws {
        let web = try await Self.host("web.public=https://Office.example.org:8443", "web.login=false")
        #expect(web.host.log.contains("serving pages on https://office.example.org:8443/\n"), "\(web.host.log)")
        func status(_ host: String, _ more: [String: String] = [:]) async throws -> Int {
            try await web.connection().request(
                "GET", "/_web/web.css", ["Host": host].merging(more) { $1 }
            ).status
        }
        for name in ["office.example.org:8443", "127.0.0.1:\(web.port)", "OFFICE.example.org:8443"] {
            #expect(try await status(name) == 200, "\(name)")
        }
        for name in ["office.example.org", "evil.example", "office.example.org:443"] {
            #expect(try await status(name) == 421, "\(name)")
            let forwarded = [
                "X-Forwarded-Host": "office.example.org:8443", "X-Forwarded-Proto": "https",
                "Forwarded": "host=\"office.example.org:8443\";proto=https",
            ]
            #expect(try await status(name, forwarded) == 421, "\(name)")
        }
        let forwarded = ["X-Forwarded-Host": "evil.example", "X-Forwarded-Prefix": "/x", "X-Forwarded-Proto": "http"]
        let begin = try await web.connection().request(
            "GET", "/board", ["Host": "office.example.org:8443"].merging(forwarded) { $1 })
        #expect(begin.status == 303 && begin["Location"] == "/board?_c=1", "\(begin)")
        #expect(begin["Set-Cookie"]?.hasPrefix("__Host-") == true && begin["Set-Cookie"]?.hasSuffix("; Secure") == true)
    }

    @Test("A name in web.host with a usual port is also answered without it, as browsers leave that port out")
    func usualPort() async throws {
        for port in [80, 443] {
            let web = try await Self.host("web.host=office.example.org:\(port)")
            for name in ["office.example.org", "office.example.org:\(port)"] {
                #expect(
                    try await web.connection().request("GET", "/_web/web.css", ["Host": name]).status == 200, "\(name)")
            }
        }
    }
}
