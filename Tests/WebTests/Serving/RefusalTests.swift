import Foundation
import HostDriver
import TestSupport
import Testing

/// Refused requests: those of other sites, forged and malformed ones, and those over a limit.
@Suite(.fewAtOnce, .hangLimit)
struct RefusalTests {
    @Test("Only the host names of the server are answered, so that no other name can lead to it")
    func hosts() async throws {
        let web = try await WebHost(["web.host=office.example.org"])
        let browser = web.browser()
        for name in [
            "127.0.0.1:\(web.port)", "localhost:\(web.port)", "LOCALHOST:\(web.port)", "[::1]:\(web.port)",
            "office.example.org:\(web.port)",
        ] {
            #expect(try await browser.send("GET", "/_web/web.css", ["Host": name]).status == 200, "\(name)")
        }
        for name in [
            "evil.example", "127.0.0.1", "localhost:1", "office.example.org", "127.0.0.1:\(web.port).evil", "",
        ] {
            #expect(try await browser.send("GET", "/board", ["Host": name]).status == 421, "\(name)")
        }
        #expect(try await web.connection().request("GET", "/board").status == 400)
        try await web.host.wait(forLog: "web: warning: refused requests: ")
        #expect(web.host.log.contains("× wrong host name"))
    }

    @Test("A form needs the session's token, cookie, window and origin")
    func forms() async throws {
        let web = try await WebHost()
        let (browser, other) = (web.browser(), web.browser())
        let page = try await browser.get("/board")
        let foreign = try await other.get("/board")
        let pairs = [("press", "add")]
        for token in ["", "x", foreign.token, String(page.token.dropLast()), page.token + "0"] {
            var forged = page
            forged.response.body.replace(page.token, with: token)
            #expect(try await browser.submit(forged, pairs).status == 403, "\(token)")
        }
        for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "http://127.0.0.1:\(web.port).evil"] {
            #expect(try await browser.submit(page, pairs, ["Origin": origin]).status == 403, "\(origin)")
        }
        for site in ["cross-site", "same-site"] {
            #expect(try await browser.submit(page, pairs, ["Sec-Fetch-Site": site]).status == 403, "\(site)")
        }
        // Another session knows neither the window nor its token.
        #expect(try await browser.submit(foreign, pairs).status == 403)
        var mixed = foreign
        mixed.response.body.replace(foreign.token, with: page.token)
        #expect(try await browser.submit(mixed, pairs).status == 404)
        #expect(try await browser.send("GET", "/_window/\(foreign.window)/changes").status == 404)
        #expect(try await browser.send("GET", "/_window/\(foreign.window)/image?scene=1&path=dot.png").status == 404)
        #expect(try await browser.submit(page, pairs, ["Cookie": "viper-\(web.port)=00"]).status == 403)
        #expect(try await browser.submit(page, pairs, ["Content-Type": "text/plain"]).status == 400)
        #expect(try await browser.get(foreign.address).window != foreign.window)
        for window in ["", "x", "99999999999999999999", "\(page.window)/x", "../\(page.window)"] {
            var lost = page
            lost.response.body.replace("/_window/\(page.window)", with: "/_window/0")
            let fields = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(
                try await browser.send("POST", "/_window/\(window)", fields, body: "a=b").status == 404, "\(window)")
        }
        let after = try await browser.reload(page)
        #expect(after.title == "1 board" && !after.html.contains("1 add"), "\(after.html)")
    }

    @Test("Paths that no route can have, and control characters, are refused and reach no header")
    func paths() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        for path in [
            "/../Manifests/web.json", "/%2e%2e/web.json", "/_web/../web.json", "/_web/..%2f..%2fweb.json", "/board/",
            "//evil.example", "///", "/board//more", "/BOARD", "/board%0d%0aX:y", "/board;x", "/_other",
            "/_window/1/changes/x", "/\u{e9}",
        ] {
            let response = try await browser.send("GET", path)
            #expect(response.status == 404, "\(path): \(response)")
        }
        for query in ["a=%0d%0aX-Evil:%201", "a=b%00", "_w=1.1&a=%22%3e", "id=x'\"<script>"] {
            let response = try await browser.send("GET", "/board?\(query)", ["Sec-Fetch-Site": "none"])
            #expect(response["X-Evil"] == nil && !response.body.contains("<script>"), "\(response)")
            #expect(try await browser.get("/board?\(query)").status == 400)
        }
        for method in ["PUT", "DELETE", "OPTIONS", "TRACE", "get"] {
            #expect(try await web.connection().request(method, "/board", browser.fields).status == 405, "\(method)")
        }
    }

    @Test("Every response forbids foreign content, storage and guesses of its type")
    func headers() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        let cookie = try await web.browser().send("GET", "/board")["Set-Cookie"]
        #expect(cookie?.hasSuffix("; Path=/; HttpOnly; SameSite=Strict") == true, "\(cookie ?? "")")
        let others = [
            try await browser.get("/none").response, try await browser.send("GET", "/_web/web.js"),
            try await browser.send("GET", "/_window/\(page.window)/image?scene=1&path=dot.png"),
        ]
        for response in [page.response] + others {
            #expect(response["Content-Security-Policy"]?.hasPrefix("default-src 'none';") == true, "\(response)")
            #expect(response["Content-Security-Policy"]?.contains("unsafe") == false)
            #expect(response["X-Content-Type-Options"] == "nosniff" && response["Referrer-Policy"] == "same-origin")
            #expect(response["Server"] == nil)
        }
        #expect(page.response["Cache-Control"] == "no-store")
        #expect(!page.html.contains("style=") && !page.html.contains("<script>") && !page.html.contains("onclick"))
    }

    @Test("A visit from another site, for which the browser withholds the cookie, does not end the session")
    func visits() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        for site in ["cross-site", "none"] {
            let response = try await web.browser().send("GET", page.address, ["Sec-Fetch-Site": site])
            #expect(response.status == 200 && response["Set-Cookie"] == nil, "\(response)")
            #expect(response.body.contains("content=\"0;url=/board\""), "\(response)")
        }
        // Without cookies, no window opens.
        let response = try await WebConnection(port: web.port).request(
            "GET", "/board?_c=1", ["Host": "127.0.0.1:\(web.port)"])
        #expect(response.status == 403 && response.body.contains("Cookies are missing"))
    }

    @Test("Truncated, broken and too large requests are refused, and others go on")
    func broken() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        for text in [
            "GET", "GET / HTTP/1.1\r\n", "\r\n\r\n", "\0\0\0\0", "GET / HTTP/9.9\r\n\r\n", "POST / HTTP/1.1\r\nHost",
            "GET /board HTTP/1.1\r\nHost: 127.0.0.1:\(web.port)\r\nX: ", String(repeating: "A", count: 100_000),
            "POST /_window/1 HTTP/1.1\r\nHost: 127.0.0.1:\(web.port)\r\nContent-Length: 10\r\n\r\nabc",
        ] {
            let connection = try web.connection()
            try? connection.send(text)
            #expect(try await browser.reload(page).status == 200)
        }
        for (line, field) in [
            ("GET /board HTTP/9.9", "X: y"), ("GET /board", "X: y"), ("POST /_window/1 HTTP/1.1", "Content-Length: -1"),
            ("POST /_window/1 HTTP/1.1", "Transfer-Encoding: chunked\r\n\r\nzz"),
        ] {
            let connection = try web.connection()
            try connection.send("\(line)\r\nHost: 127.0.0.1:\(web.port)\r\n\(field)\r\n\r\n")
            let answer = try await connection.end()
            #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 4") || answer.hasPrefix("HTTP/1.1 5"), "\(answer)")
        }
        let fields = browser.fields.merging(["Content-Type": "application/x-www-form-urlencoded"]) { $1 }
        let large = try await web.connection().request(
            "POST", "/_window/\(page.window)", fields.merging(["Content-Length": "99999999999"]) { $1 })
        #expect(large.status == 413)
        let header = try await web.connection().request(
            "GET", "/board", browser.fields.merging(["X-Long": String(repeating: "x", count: 40_000)]) { $1 })
        #expect(header.status == 431)
        // Browsers send the cookies of all ports of a host.
        for (count, size) in [(400, 3), (150, 80), (180, 60), (50, 300)] {
            let cookies = (0..<count).map { "c\($0)=\(String(repeating: "x", count: size))" }.joined(separator: "; ")
            var fields = browser.fields
            fields["Cookie"] = "\(fields["Cookie"] ?? ""); \(cookies)"
            let answer = try await web.connection().request("GET", page.address, fields)
            #expect(answer.status == 200, "\(count) cookies of \(size) bytes: \(answer.status)")
        }
        let long = String(repeating: "a", count: 2 << 20)
        #expect(try await browser.send("POST", "/_window/\(page.window)", fields, body: long).status == 413)
        #expect(try await browser.reload(page).status == 200)
        // A form of many pairs.
        let pairs = Array(repeating: "field.name=x", count: 3_000).joined(separator: "&")
        #expect(try await browser.send("POST", "/_window/\(page.window)", fields, body: pairs).status == 400)
        #expect(try await browser.send("POST", "/_window/\(page.window)", fields, body: "a=%zz").status == 400)
    }

    @Test(
        "A malformed request is counted, also if libmicrohttpd refuses it itself",
        arguments: [
            ("GET /board HTTP/1.1\r\n\r\n", 400), ("GET /board HTTP/9.9\r\nHost: x\r\n\r\n", 505),
            ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
            ("GET /board HTTP/1.1\r\nHost: x\r\nX: \(String(repeating: "x", count: 100_000))\r\n\r\n", 431),
        ])
    func malformed(request: String, status: Int) async throws {
        let web = try await WebHost()
        let connection = try web.connection()
        try connection.send(request)
        #expect(try await connection.end().hasPrefix("HTTP/1.1 \(status) "))
        try await web.host.wait(forLog: "web: warning: refused requests: 1 × malformed request\n")
    }

    @Test("A proxy's request in absolute form is answered, and its host is the one that counts")
    func absolute() async throws {
        let web = try await WebHost()
        let own = "http://127.0.0.1:\(web.port)/_web/web.css"
        #expect(try await web.connection().request("GET", own, ["Host": "other"]).status == 200)
        let other = "http://evil.example/_web/web.css"
        #expect(try await web.connection().request("GET", other, ["Host": "127.0.0.1:\(web.port)"]).status == 421)
    }

    @Test("The page of an unknown route does not tell where the host has looked")
    func unknown() async throws {
        let web = try await WebHost()
        let page = try await web.browser().get("/boards")
        #expect(page.status == 404 && page.html.contains("did you mean: board"), "\(page.html)")
        #expect(!page.html.contains("looked in"), "\(page.html)")
    }

    @Test(
        "A request that another server could read in another way is refused, and nothing after it is read",
        arguments: [
            ("Content-Length: 5\r\nTransfer-Encoding: chunked", 400), ("Content-Length: 0\r\nContent-Length: 5", 400),
            ("hOST: evil.example", 400), ("transfer-encoding: Chunked", 411),
        ])
    func ambiguous(fields: String, status: Int) async throws {
        let web = try await WebHost()
        let connection = try web.connection()
        let host = "Host: 127.0.0.1:\(web.port)\r\n"
        let hidden = "GET /_web/web.css HTTP/1.1\r\n\(host)\r\n"
        try connection.send("POST /board HTTP/1.1\r\n\(host)\(fields)\r\n\r\n0\r\n\r\n\(hidden)")
        let answer = try await connection.end()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(answer)")
        #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2, "\(answer)")
        try await web.host.wait(forLog: "× ambiguous request")
    }

    @Test(
        "A client that never completes its request is disconnected, and displaces nobody", .long,
        arguments: [
            "GET /board HTTP/1.1\r\nHost: x\r\n", "POST /_window/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 9999\r\n\r\n",
        ])
    func slow(start: String) async throws {
        let web = try await WebHost()
        let slow = try web.connection()
        try slow.send(start)
        // A byte now and then keeps a connection active for libmicrohttpd.
        let dribble = Task {
            while !Task.isCancelled {
                try slow.send("X: y\r\n")
                try await Task.sleep(for: .milliseconds(200))
            }
        }
        let begin = ContinuousClock.now
        try await slow.end()
        dribble.cancel()
        #expect(ContinuousClock.now - begin >= .seconds(15))
        try await web.host.wait(forLog: "× too slow")
        #expect(try await web.browser().get("/board").status == 200)
    }

    @Test(
        "More connections than the limit displace each other, also slow ones, and a browser is still answered",
        arguments: [
            "", "GET /board HTTP/1.1\r\nHost: x\r\n",
            "POST /_window/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\na",
        ])
    func connections(start: String) async throws {
        let web = try await WebHost(limits: 400)
        let browser = web.browser()
        let page = try await browser.get("/board")
        var open: [WebConnection] = []
        for _ in 0..<600 {
            let connection = try web.connection()
            try connection.send(start)
            open.append(connection)
        }
        #expect(try await browser.reload(page).status == 200)
        // The first ones were closed in favour of later ones, and not because they were slow.
        try await open[0].end()
        try await web.host.wait(forLog: "× limit reached")
        #expect(!web.host.log.contains("too slow"))
        #expect(try await web.host.client().call("ping").contains("result"))
    }
}
