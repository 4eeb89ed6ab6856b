import Foundation
import HostDriver
import TestSupport
import Testing

/// Requests whose header a server in front of this one could read in another way, and the header fields of answers.
@Suite(.fewAtOnce, .hangLimit)
struct FramingTests {
    private static let hidden = "GET /readyz HTTP/1.1\r\nHost: probe\r\n\r\n"

    @Test(
        "A malformed header is refused with status 400, and what follows it is never answered as a request",
        arguments: [
            "Content-Length : \(hidden.utf8.count)", "Content-Length\t: \(hidden.utf8.count)",
            "Transfer-Encoding : chunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity",
            "Transfer-Encoding: \u{b}chunked", "Content-Length: \(hidden.utf8.count)\r\n 0",
            "Content-Length:\r\n \(hidden.utf8.count)", "X: a\r\n Content-Length: \(hidden.utf8.count)",
            "Content-Length: 0\0\(hidden.utf8.count)", "Content-Length\0: \(hidden.utf8.count)",
            "\0Content-Length: \(hidden.utf8.count)", "X: a\0\r\nY: b", "X\0Y: b", "X: a\u{1}b", "X: a\rb",
            "Content-Length: 4\t1", "Content-Length: +41", "Content-Length: 4_1", "Content-Length: 41, 41",
            "Content-Length: 0x29", "Content-Length:", " X: a", "\tX: a", "(X): a", "X Y: a", "X\u{e9}: a", ": a",
            "X", "Content-Length: \(hidden.utf8.count)\n", "X: a\nY: b", "Host: other", "Host: a b",
        ])
    func malformed(line: String) async throws {
        let web = try await WebHost()
        for fields in [
            "Host: probe\r\n\(line)\r\n", "\(line)\r\nHost: probe\r\n", "Host: probe\r\nA: b\r\n\(line)\r\nB: c\r\n",
        ] {
            let connection = try web.connection()
            try connection.send("GET /healthz HTTP/1.1\r\n\(fields)\r\n\(Self.hidden)")
            let answer = try await connection.end()
            #expect(answer.hasPrefix("HTTP/1.1 400 "), "\(fields): \(answer)")
            // libmicrohttpd sends the header of a response twice if it refuses a length itself.
            #expect(answer.components(separatedBy: "HTTP/1.1 400 ").count <= 3, "\(fields): \(answer)")
            #expect(!answer.contains("HTTP/1.1 2") && !answer.contains("ok\n"), "\(fields): \(answer)")
        }
    }

    @Test(
        "A malformed first line is refused, and what follows it is never answered",
        arguments: [
            "GET  /healthz HTTP/1.1", "GET /healthz  HTTP/1.1", "GET /healthz HTTP/1.1 ", "GET /health\0z HTTP/1.1",
            "GET\t/healthz HTTP/1.1", "GET /health z HTTP/1.1", "GET /healthz HTTP/1.1\n", "GET /healthz\u{b}HTTP/1.1",
            "GET /healthz",
        ])
    func firstLine(line: String) async throws {
        let web = try await WebHost()
        let connection = try web.connection()
        try connection.send("\(line)\r\nHost: probe\r\n\r\n\(Self.hidden)")
        let answer = try await connection.end()
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"), "\(answer)")
        #expect(!answer.contains("HTTP/1.1 2") && !answer.contains("ok\n"), "\(answer)")
    }

    @Test("Well-formed headers of every size and spelling are read, also in parts")
    func wellFormed() async throws {
        let web = try await WebHost()
        let connection = try web.connection()
        for fields in [
            "Host:probe\r\n", "host: \t probe\r\nX-Empty:\r\nX-Empty:  \r\n",
            "HOST: probe\r\nX!#$%&'*+-.^_`|~1: \"a\tb\" \u{e9}\r\n",
            "Host: probe\r\nContent-Length: 0\r\n", "Host: probe\r\nCookie: a=b; c=d\r\nCookie: e=\r\n",
            "Host: probe\r\n" + (0..<100).map { "X-\($0): \(String(repeating: "y", count: $0))\r\n" }.joined(),
        ] {
            let text = "GET /healthz?\(fields.utf8.count)=%41 HTTP/1.1\r\n\(fields)\r\n"
            for part in [text.prefix(20), text.dropFirst(20).prefix(25), text.dropFirst(45)] {
                try connection.send(String(part))
                // Another answered request shows that the part was read, or is about to be.
                _ = try await web.connection().request("GET", "/healthz", ["Host": "probe"])
            }
            let response = try await connection.response()
            #expect(response.status == 200 && response.body == "ok\n", "\(fields): \(response)")
        }
    }

    @Test("Each answer has the fields that its status demands")
    func statuses() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        func answer(_ method: String, _ target: String, _ more: [String: String] = [:]) async throws -> WebResponse {
            let response = try await web.connection().request(method, target, browser.fields.merging(more) { $1 })
            #expect(response["Date"] != nil, "\(response)")
            return response
        }
        for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "get", "POST"] {
            let response = try await answer(method, "/board")
            #expect(response.status == 405 && response["Allow"] == "GET, HEAD", "\(method): \(response)")
        }
        for method in ["GET", "HEAD", "PUT"] {
            let response = try await answer(method, "/_window/\(page.window)")
            #expect(response.status == 405 && response["Allow"] == "POST", "\(method): \(response)")
        }
        let style = try await answer("GET", "/_web/web.css")
        let tag = try #require(style["ETag"])
        for list in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
            let response = try await answer("GET", "/_web/web.css", ["If-None-Match": list])
            #expect(response.status == 304 && response["ETag"] == tag, "\(list): \(response)")
            #expect(
                response["Cache-Control"] == style["Cache-Control"]
                    && response["Content-Length"] == style["Content-Length"], "\(response)")
        }
        #expect(try await answer("GET", "/_web/web.css", ["If-None-Match": "\"x\""]).status == 200)
    }

    @Test("HEAD is answered like GET, without a body")
    func head() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        // HEAD begins no session and opens no window.
        let new = try await web.connection().request("HEAD", "/board", ["Host": "127.0.0.1:\(web.port)"])
        #expect(new.status == 303 && new["Set-Cookie"] == nil, "\(new)")
        let closed = try await web.connection().request("HEAD", "/board", browser.fields)
        #expect(closed.status == 303 && closed["Location"] == nil, "\(closed)")
        let own = ["Cache-Control": "max-age=0"]
        for target in [page.address, "/_web/web.js", "/_host", "/metrics", "/none", "/healthz"] {
            let fields = browser.fields.merging(own) { $1 }
            let get = try await web.connection().request("GET", target, fields)
            let connection = try web.connection()
            let head = try await connection.request("HEAD", target, fields)
            #expect(head.status == get.status && head["Content-Type"] == get["Content-Type"], "\(target): \(head)")
            // The metrics change with each request.
            if target != "/metrics" { #expect(head["Content-Length"] == get["Content-Length"], "\(target): \(head)") }
            // The next answer follows at once.
            #expect(try await connection.request("GET", "/healthz", ["Host": "probe"]).body == "ok\n", "\(target)")
        }
        let stream = try await browser.stream(page, from: page.nonce)
        for _ in 0..<5 {
            let connection = try web.connection()
            let head = try await connection.request("HEAD", "/_window/\(page.window)/changes", browser.fields)
            #expect(head.status == 200 && head["Content-Type"] == "text/event-stream; charset=utf-8", "\(head)")
            #expect(try await connection.end() == "")
        }
        // The answers to HEAD have not ended the stream.
        _ = try await browser.press(page, ("press", "add"))
        #expect(try await stream.event().name == "screen")
    }
}
