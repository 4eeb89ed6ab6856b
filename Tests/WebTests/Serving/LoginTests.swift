import Foundation
import HostDriver
import TestSupport
import Testing

/// Logins, and what browsers keep when the host is killed.
@Suite(.fewAtOnce, .hangLimit)
struct LoginTests {
    @Test("After the host was killed, browsers stay known, also those of another host with the same state folder")
    func killed() async throws {
        let folder = try ScratchFolder()
        let state = folder.path + "/state"
        var hosts = [try await WebHost(state: state), try await WebHost(state: state)]
        let pages = try await withThrowingTaskGroup(of: (Int, Browser, Browser.Page).self) { group in
            for number in 0..<20 {
                let web = hosts[number % 2]
                group.addTask {
                    let browser = web.browser()
                    return (number % 2, browser, try await browser.get("/board"))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for number in hosts.indices { hosts[number] = try await hosts[number].restartedAfterKill(state: state) }
        for (number, browser, page) in pages {
            let again = try await browser.reload(page)
            #expect(again.status == 200 && again.token == page.token && again.window != page.window)
            // A host knows the browsers of its own address only.
            let other = try await hosts[1 - number].connection().request(
                "GET", "/board",
                [
                    "Host": "127.0.0.1:\(hosts[1 - number].port)",
                    "Cookie": Self.renamed(browser.cookie, hosts[1 - number]),
                ])
            #expect(other.status == 303 && other["Set-Cookie"] != nil, "\(other)")
        }
    }

    /// Returns a cookie under the name that another host uses.
    private static func renamed(_ cookie: String, _ web: WebHost) -> String {
        "viper-\(web.port)=" + (cookie.split(separator: "=").last ?? "")
    }

    private static let settings = ["web.login=true"]

    private static func logIn(_ web: WebHost, _ name: String) async throws -> Browser {
        let browser = web.browser()
        let address = try #require(
            web.host.log.matches(of: /log in at http:\/\/\S+(\/_login\/\S+)|logs in at http:\/\/\S+?(\/_login\/\S+)\n/)
                .last)
        let path = try #require(address.1 ?? address.2)
        let count = web.host.log.count
        // A program that looks at the address does not use it up.
        let head = try await web.connection().request("HEAD", String(path), ["Host": "127.0.0.1:\(web.port)"])
        #expect(head.status == 303 && head["Set-Cookie"] == nil, "\(head)")
        #expect(try await browser.send("GET", String(path), ["User-Agent": name]).status == 303)
        try await Self.wait(web, longerThan: count)
        return browser
    }

    /// Waits until the log has grown by the next address.
    private static func wait(_ web: WebHost, longerThan count: Int) async throws {
        let hasNext = await eventually { web.host.log.count > count }
        #expect(hasNext)
    }

    private static func logOut(_ browser: Browser, _ place: String, token: String? = nil) async throws -> WebResponse {
        let page = try await browser.send("GET", "/_host").body
        let own = page.firstMatch(of: /name="token" value="([^"]*)"/).map { String($0.1) } ?? ""
        return try await browser.send(
            "POST", "/_logout", ["Content-Type": "application/x-www-form-urlencoded"],
            body: "token=\(token ?? own)&where=\(place)")
    }

    @Test("A browser logs out here or everywhere, and stays logged out after the host was killed")
    func logout() async throws {
        var web = try await WebHost(Self.settings)
        let (one, two) = (try await Self.logIn(web, "<One> 1.0"), try await Self.logIn(web, "Two 2.0"))
        let page = try await one.get("/board")
        let stream = try await one.stream(page, from: page.nonce)
        let list = try await one.send("GET", "/_host").body
        #expect(list.contains("&lt;One&gt; 1.0</bdi> (this browser)") && list.contains("Two 2.0</bdi></th>"), "\(list)")
        for (place, token, status) in [("here", "x", 403), ("there", nil, 400)] {
            #expect(try await Self.logOut(one, place, token: token).status == status, "\(place)")
        }
        let foreign = ["Origin": "http://evil.example", "Content-Type": "application/x-www-form-urlencoded"]
        #expect(try await one.send("POST", "/_logout", foreign, body: "token=\(page.token)&where=here").status == 403)
        let read = try await one.send("GET", "/_logout")
        #expect(read.status == 405 && read["Allow"] == "POST", "\(read)")
        let out = try await Self.logOut(one, "here")
        #expect(out.status == 200 && out["Set-Cookie"]?.hasSuffix("; Max-Age=0") == true, "\(out)")
        #expect(try await stream.event().data.contains("You have logged out."))
        #expect(try await one.send("GET", "/board").status == 403)
        web = try await web.restartedAfterKill(Self.settings)
        #expect(try await one.send("GET", "/board").status == 403)
        #expect(try await two.get("/board").status == 200)
        let three = try await Self.logIn(web, "Three")
        #expect(try await Self.logOut(two, "everywhere").status == 200)
        for browser in [two, three] { #expect(try await browser.send("GET", "/board").status == 403) }
        web = try await web.restartedAfterKill(Self.settings)
        for browser in [one, two, three] { #expect(try await browser.send("GET", "/board").status == 403) }
        #expect(try await web.end() == .code(0))
    }

    @Test("A login lasts seven days, and a browser that has not logged in is not let in when logins are turned on")
    func age() async throws {
        var web = try await WebHost(Self.settings)
        let browser = try await Self.logIn(web, "One")
        #expect(try await browser.get("/board").status == 200)
        web.host.send(SIGKILL)
        _ = try await web.host.end()
        for (days, status) in [(6, 200), (2, 403)] {
            let file = web.root.folder.path + "/state/modules/web/sessions.jsonl"
            let text = try String(contentsOfFile: file, encoding: .utf8)
            let earlier = text.replacing(/"begun":(\d+)/) { "\"begun\":\((Int($0.1) ?? 0) - days * 86_400)" }
            try earlier.write(toFile: file, atomically: false, encoding: .utf8)
            web = try await web.restartedAfterKill(Self.settings)
            #expect(try await browser.get("/board").status == status, "\(days)")
            web.host.send(SIGKILL)
            _ = try await web.host.end()
        }
        web = try await web.restartedAfterKill()
        let open = web.browser()
        #expect(try await open.get("/board").status == 200)
        web = try await web.restartedAfterKill(Self.settings)
        #expect(try await open.send("GET", "/board").status == 403)
        #expect(try await web.end() == .code(0))
    }
}
