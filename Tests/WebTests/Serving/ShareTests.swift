import Foundation
import HostDriver
import TestSupport
import Testing

/// The share of one browser, and the rest for other browsers.
@Suite(.fewAtOnce, .hangLimit)
struct ShareTests {
    /// A browser with its open connections.
    private final class Crowd {
        let web: WebHost
        var browsers: [(browser: Browser, page: Browser.Page)] = []
        var connections: [WebConnection] = []

        init(_ web: WebHost) { self.web = web }

        /// Begins a session with a window. The server allows only some in a second.
        func join() async throws -> (browser: Browser, page: Browser.Page) {
            for _ in 0..<1_000 {
                let browser = web.browser()
                let page = try await browser.get("/board")
                if page.status == 200 {
                    browsers.append((browser, page))
                    return (browser, page)
                }
                #expect(page.status == 503 && page.html.contains("for the first time"), "\(page.response)")
                try await Task.sleep(for: .milliseconds(50))
            }
            throw ChildFailure("no session begins")
        }
    }

    /// The head of a request of a browser.
    private static func head(
        _ line: String, of browser: Browser, length: Int? = nil
    ) -> String {
        var fields = browser.fields
        if let length {
            fields["Content-Type"] = "application/x-www-form-urlencoded"
            fields["Content-Length"] = "\(length)"
        }
        return "\(line) HTTP/1.1\r\n" + fields.map { "\($0.key): \($0.value)\r\n" }.joined() + "\r\n"
    }

    @Test("A browser has eight streams. When too many are open, those of browsers that never sent a form end first")
    func streams() async throws {
        // The server has 200 connections, and 100 streams.
        let web = try await WebHost(limits: 400)
        let person = web.browser()
        let page = try await person.press(try await person.get("/board"), ("press", "add"))
        let stream = try await person.stream(page, from: page.nonce)
        let crowd = Crowd(web)
        // The last one takes the place of a stream of a browser that has eight, because the person has one.
        while crowd.connections.count < 100 {
            let (browser, page) = try await crowd.join()
            let second = try await browser.visit("/board")
            for page in [page, second] {
                for _ in 0..<4 where crowd.connections.count < 100 {
                    crowd.connections.append(try await browser.stream(page, from: page.nonce))
                }
            }
            guard crowd.browsers.count == 1 else { continue }
            let third = try await browser.visit("/board")
            let refused = try await browser.send("GET", "/_window/\(third.window)/changes")
            #expect(refused.status == 503 && refused["Retry-After"] == "1", "\(refused)")
            #expect(refused.body.contains("This browser has too much open"), "\(refused)")
        }
        // The person gets another stream, because nobody else has sent a form.
        let other = try await person.visit("/board")
        let more = try await person.stream(other)
        #expect(try await more.event().data.contains("board"))
        // Everybody else is answered, and the first stream goes on.
        #expect(try await web.connection().request("GET", "/healthz", ["Host": "x"]).status == 200)
        _ = try await person.press(try await person.reload(other), ("press", "add"))
        #expect(try await stream.event().data.contains("2 add"))
    }

    @Test("A browser sends four forms at once, and those of others arrive however many bytes are pending")
    func bodies() async throws {
        let web = try await WebHost()
        let person = web.browser()
        let page = try await person.get("/board")
        let crowd = Crowd(web)
        let part = String(repeating: "a", count: 1 << 20)
        func send(_ browser: Browser, _ page: Browser.Page) throws {
            for _ in 0..<4 {
                let connection = try web.connection()
                let head = Self.head("POST /_window/\(page.window)", of: browser, length: part.utf8.count + 1)
                try connection.send(head + part)
                crowd.connections.append(connection)
            }
        }
        let (browser, own) = try await crowd.join()
        try send(browser, own)
        let fields = ["Content-Type": "application/x-www-form-urlencoded"]
        #expect(
            try await eventually(within: Patience.reaction) {
                let fifth = try await browser.send("POST", "/_window/\(own.window)", fields, body: "a=b")
                return fifth.status == 503 && fifth["Retry-After"] == "1"
            })
        // All of them together send more than the server keeps.
        for _ in 0..<16 {
            let (browser, page) = try await crowd.join()
            try send(browser, page)
        }
        // A first form, and a large one.
        let added = try await person.press(page, ("press", "add"))
        #expect(added.html.contains("1 add"), "\(added.response)")
        let large = String(repeating: "x", count: 500_000)
        #expect(try await person.press(added, ("field.name", large), ("press", "add")).html.contains("2 add;name=xxx"))
    }

    @Test("A browser whose modules do not answer has sixteen requests, and others are answered")
    func answers() async throws {
        let web = try await WebHost()
        let person = web.browser()
        let page = try await person.get("/board")
        let crowd = Crowd(web)
        let (browser, first) = try await crowd.join()
        for page in [first, try await browser.visit("/board")] {
            for count in 1...8 {
                let connection = try web.connection()
                let body = "token=\(page.token)&nonce=\(page.nonce).\(count)&press=hang"
                try connection.send(
                    Self.head("POST /_window/\(page.window)", of: browser, length: body.utf8.count) + body)
                crowd.connections.append(connection)
            }
        }
        #expect(
            await eventually(within: Patience.reaction) {
                let answer = try? await browser.send("GET", "/_web/web.css")
                return answer?.status == 503 && answer?["Retry-After"] == "1"
            })
        #expect(try await person.press(page, ("press", "add")).html.contains("1 add"))
    }

    @Test("A browser that reads nothing has 8 MiB of pages, and others get theirs")
    func unread() async throws {
        let web = try await WebHost()
        let person = web.browser()
        let page = try await person.get("/board")
        let crowd = Crowd(web)
        let (browser, small) = try await crowd.join()
        let large = try await browser.press(small, ("field.name", "big"), ("press", "add"))
        #expect(large.html.utf8.count > 1 << 20)
        // Only the header of each page is read.
        var status = 200
        while status == 200, crowd.connections.count < 60 {
            let connection = try web.connection()
            try connection.send(Self.head("GET \(large.address)", of: browser))
            status = try await connection.header().status
            crowd.connections.append(connection)
        }
        #expect(status == 503 && crowd.connections.count <= 9, "\(status), \(crowd.connections.count)")
        #expect(try await person.press(page, ("press", "add")).html.contains("2 add"))
        // Closed connections give their shares back.
        crowd.connections = []
        #expect(try await eventually(within: Patience.reaction) { try await browser.reload(large).status == 200 })
    }

    @Test("New sessions are refused for a moment if too many begin, and nobody loses one")
    func rate() async throws {
        let web = try await WebHost()
        let person = web.browser()
        let page = try await person.get("/board")
        let host = ["Host": "127.0.0.1:\(web.port)"]
        // A busy machine may answer fewer than twenty requests in a second, if they are sent one after the other.
        #expect(
            try await eventually(within: Patience.reaction) {
                try await withThrowingTaskGroup(of: WebResponse.self) { group in
                    for _ in 0..<30 {
                        let connection = try web.connection()
                        group.addTask { try await connection.request("GET", "/board", host) }
                    }
                    return try await group.reduce(into: false) { isRefused, answer in
                        isRefused =
                            isRefused
                            || answer.status == 503 && answer["Retry-After"] == "1"
                                && answer.body.contains("for the first time")
                    }
                }
            })
        #expect(try await person.reload(page).window == page.window)
        try await web.host.wait(forLog: "× limit reached")
    }

    @Test("Too many arguments are refused at once", arguments: [250, 1_000, 5_000])
    func arguments(count: Int) async throws {
        let web = try await WebHost()
        let host = ["Host": "127.0.0.1:\(web.port)"]
        let many = String(repeating: "a&", count: count)
        let answer = try await web.connection().request("GET", "/healthz?" + many, host)
        #expect(answer.status == 414, "\(answer)")
        #expect(try await web.connection().request("GET", "/healthz?a=b&c", host).status == 200)
    }

    @Test("Many cookies and fields, and a header that is almost too large, are answered")
    func headers() async throws {
        let web = try await WebHost()
        let host = ["Host": "127.0.0.1:\(web.port)"]
        func status(_ fields: [String: String]) async throws -> Int {
            try await web.connection().request("GET", "/healthz", host.merging(fields) { $1 }).status
        }
        for count in [200, 220, 250, 300] {
            #expect(try await status(["Cookie": String(repeating: "a;", count: count)]) == 200, "\(count)")
            let fields = Dictionary(uniqueKeysWithValues: (0..<count).map { ("x\($0)", "") })
            #expect(try await status(fields) == 200, "\(count)")
        }
        for size in stride(from: 15_000, to: 18_000, by: 100) {
            let answer = try await status(["x": String(repeating: "x", count: size)])
            #expect(size < 16_200 ? answer == 200 : answer == 431 || size < 16_400, "\(size): \(answer)")
        }
    }

    @Test("The query of a request reaches its page whole")
    func query() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board?name=a+b%26c")
        #expect(page.status == 400 && page.html.contains("name"), "\(page.html)")
    }
}
