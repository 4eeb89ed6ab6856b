import Foundation
import HostDriver
import TestSupport
import Testing

/// Streams of changes, and what survives when a module or the host is replaced.
@Suite(.fewAtOnce, .hangLimit)
struct StreamTests {
    @Test("A change of a module reaches every page that shows it, and a page that is current gets nothing else")
    func changes() async throws {
        let web = try await WebHost()
        let (one, two) = (web.browser(), web.browser())
        let first = try await one.get("/board")
        let second = try await two.get("/board")
        let stream = try await two.stream(second, from: second.nonce)
        let whole = try await two.stream(second)
        #expect(try await whole.event().id == second.nonce)
        _ = try await one.press(first, ("press", "add"))
        for stream in [stream, whole] {
            let event = try await stream.event()
            #expect(event.name == "screen" && event.id.hasPrefix("1-0-"), "\(event)")
            #expect(event.data.hasPrefix("<main ") && event.data.contains(">1 "), "\(event)")
            #expect(event.data.contains(try await two.reload(second).nonce))
        }
        // Many changes in a row are combined, and the last one arrives.
        _ = try await one.press(try await one.reload(first), ("press", "many"))
        var event = try await stream.event()
        while !event.data.contains(">101 ") { event = try await stream.event() }
        // A later stream begins with the state, unless the page has it.
        let later = try await two.stream(second, from: second.nonce)
        #expect(try await later.event().id == event.id)
    }

    @Test("A page moves to another scene by its stream, and a window that closes ends its streams")
    func scenes() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        let stream = try await browser.stream(page, from: page.nonce)
        let live = try await browser.submit(page, [("press", "more")], ["X-Viper-Live": "1"])
        #expect(live.status == 200 && live.body.contains("1 board/more") && live.body.hasPrefix("<main "), "\(live)")
        _ = try await browser.submit(
            Browser.Page(address: page.address, response: live), [("press", "add")], ["X-Viper-Live": "1"])
        let closed = try await browser.press(try await browser.reload(page), ("press", "close"))
        #expect(closed.title == "1 board")
        let last = try await browser.submit(closed, [("back", "1")], ["X-Viper-Live": "1"])
        #expect(last.status == 200 && last.body.contains("You have closed this window"), "\(last)")
        try await stream.end()
        #expect(try await browser.send("GET", "/_window/\(page.window)/changes").status == 404)
    }

    @Test("Streams that browsers leave are noticed, and a window has at most four")
    func gone() async throws {
        let web = try await WebHost(["web.windows=2"])
        let browser = web.browser()
        let page = try await browser.get("/board")
        var streams: [WebConnection] = []
        for _ in 0..<6 { streams.append(try await browser.stream(page, from: page.nonce)) }
        try await streams[0].end()
        try await streams[1].end()
        streams = []
        // Without a stream, the window belongs to the tab that asks for it.
        #expect(
            await eventually(within: Patience.reaction) { (try? await browser.back(to: page).window) == page.window })
    }

    @Test("Replacing the module web keeps the socket, the sessions and the windows; streams end and begin again")
    func replacement() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        let added = try await browser.press(page, ("field.name", "Ada"), ("press", "add"))
        let more = try await browser.press(added, ("press", "more"))
        let stream = try await browser.stream(more, from: more.nonce)
        let library = try await changedWeb(in: web.root.folder)
        try web.replace("libWeb.so", by: library)
        // No connection is refused during the replacement.
        let hammer = Task {
            var answers = 0
            while !Task.isCancelled {
                let status = try await browser.send("GET", "/_web/web.css").status
                guard status == 200 || status == 503 else { throw ChildFailure("\(status)") }
                answers += 1
            }
            return answers
        }
        try await stream.end()
        let isServing = await eventually(within: Patience.reaction) {
            web.host.log.components(separatedBy: "web: info: serving pages on ").count == 3
        }
        #expect(isServing)
        hammer.cancel()
        #expect(try await hammer.value > 0)
        let again = try await browser.stream(more, from: more.nonce)
        #expect(try await again.event().data.contains("board/more"))
        #expect(try await browser.reload(more).address == more.address)
        // A form that was executed before is not executed again.
        #expect(try await browser.submit(added, [("press", "add")]).status == 303)
        let back = try await browser.get(page.address, ["X-Viper-Live": "1"])
        #expect(back.html.contains("1 name=Ada;add"), "\(back.html)")
        #expect(try await browser.press(back, ("press", "add")).html.contains("2 name=Ada;add;add"))
        #expect(try await web.end() == .code(0))
    }

    /// Returns the path of a copy of the library with other bytes.
    private func changedWeb(in folder: ScratchFolder) async throws -> String {
        let path = folder.path + "/changed.so"
        try copyFile(Products.folder + "/libWeb.so", to: path)
        // The loader ignores what follows the last section.
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.seekToEnd()
        try file.write(contentsOf: Data("changed\n".utf8))
        try file.close()
        try waitForWriters(of: path)
        return path
    }

    @Test("Replacing a module under an open page: its scene goes on in the old version, and a new one opens in the new")
    func module() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        try web.replace("libBoard.so", by: try await ModuleFixture.board("2").compiled())
        // Another browser, because each visit opens a window, and the first one must not be closed for the others.
        let other = web.browser()
        #expect(try await eventually(within: Patience.reaction) { try await other.get("/board").title == "2 board" })
        let added = try await browser.press(try await browser.reload(page), ("press", "add"))
        #expect(added.title == "1 board" && added.html.contains("1 add"), "\(added.html)")
    }

    @Test("A host with open streams, slow clients and a form in progress ends soon")
    func ending() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        var streams: [WebConnection] = []
        for _ in 0..<3 { streams.append(try await browser.stream(page, from: page.nonce)) }
        let slow = try web.connection()
        try slow.send("GET /board HTTP/1.1\r\n")
        let body = "token=\(page.token)&nonce=\(page.nonce)&press=hang"
        let fields = browser.fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        let hanging = try web.connection()
        try hanging.send(
            "POST /_window/\(page.window) HTTP/1.1\r\n\(fields)Content-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        // A gone browser leaves its stream suspended.
        streams.removeLast()
        _ = try await browser.send("GET", "/_web/web.css")
        let begin = ContinuousClock.now
        web.host.send(SIGTERM)
        for stream in streams { try await stream.end() }
        _ = try await web.host.end()
        #expect(ContinuousClock.now - begin < .seconds(60))
        #expect(!web.host.log.contains("Fatal error") && !web.host.log.contains("crashed"), "\(web.host.log)")
    }

    @Test("After a restart, a session continues, and its old windows open again")
    func restart() async throws {
        let root = try await WebHost.root()
        let first = try await WebHost(in: root)
        let browser = first.browser()
        let page = try await browser.get("/board")
        #expect(try await first.end() == .code(0))
        let saved = root.folder.path + "/state/modules/web/sessions.jsonl"
        let mode = try FileManager.default.attributesOfItem(atPath: saved)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let second = try await WebHost(address: "127.0.0.1:\(first.port)", in: root)
        let again = try await browser.reload(page)
        #expect(again.status == 200 && again.window != page.window && again.token == page.token)
        withExtendedLifetime(second) {}
    }
}
