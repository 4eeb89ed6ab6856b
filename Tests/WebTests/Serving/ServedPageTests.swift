import Foundation
import HostDriver
import TestSupport
import Testing

/// Pages and forms of a serving host, over real sockets.
@Suite(.fewAtOnce, .hangLimit)
struct ServedPageTests {
    @Test("A route is a page with its address, its forms work without script, and a reload shows the same scene")
    func forms() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        #expect(page.status == 200 && page.title == "1 board", "\(page)")
        #expect(page.address.hasPrefix("/board?_w="))
        #expect(page.html.contains("&lt;b&gt;Row &amp; ") && !page.html.contains("<b>Row"))

        let added = try await browser.press(page, ("field.name", "Ada & <Bob>"), ("press", "add"))
        #expect(added.html.contains("1 name=Ada &amp; &lt;Bob&gt;;add"), "\(added.html)")
        #expect(added.address == page.address)
        let again = try await browser.reload(added)
        #expect(again.html == added.html)

        let marked = try await browser.press(again, ("act.mark", "row"))
        #expect(marked.html.contains("add;mark row"), "\(marked.html)")
        let selected = try await browser.press(marked, ("select", "row"))
        #expect(selected.html.contains("mark row;select row"), "\(selected.html)")
    }

    @Test("Only fields that the user has changed are filled in, in the form's order, before the button's event")
    func fields() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        let filled = try await browser.press(
            page, ("field.secret", ""), ("field.tags", ""), ("field.tags", "red"), ("field.tags", "blue"),
            ("field.on", "false"), ("field.on", "true"), ("field.text", "a\r\nb"), ("field.name", ""),
            ("field.unknown", "x"), ("press", "add"))
        #expect(filled.html.contains("1 on=true;tags=red,blue;add"), "\(filled.html)")
        let text = try await browser.press(filled, ("field.text", "c\r\nd"), ("field.name", "N"), ("fill", "text"))
        #expect(text.html.contains("add;text=c|d<"), "\(text.html)")
    }

    @Test("A form is executed once, also if it is sent again, and a form of an earlier scene is not executed")
    func once() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        for _ in 0..<3 {
            let response = try await browser.submit(page, [("press", "add")])
            #expect(response.status == 303 && response["Location"] == page.address)
        }
        let added = try await browser.reload(page)
        #expect(added.html.contains("1 add<") && added.html.contains("Nothing was done twice"), "\(added.html)")
        // A script counts the forms of a page.
        for (nonce, count) in [(".1", 2), (".2", 3), (".2", 3), (".1", 3)] {
            let response = try await browser.submit(
                added, [("press", "add")], ["X-Viper-Live": "1"], nonce: added.nonce + nonce)
            #expect(response.status == 200 && response.body.contains("\(count) add"), "\(response)")
        }
        let current = try await browser.reload(page)
        let more = try await browser.press(current, ("press", "more"))
        #expect(more.title == "1 board/more")
        let late = try await browser.submit(
            current, [("press", "add")], ["X-Viper-Live": "1"], nonce: current.nonce + ".9")
        #expect(late.status == 200 && late.body.contains("1 board/more") && late.body.contains("Nothing was done"))
        let back = try await browser.press(current, ("press", "add"))
        #expect(back.address == more.address && back.html.contains("Nothing was done twice"), "\(back.html)")
        #expect(try await browser.back(to: page).html.contains("3 add;add;add<"))
    }

    @Test("Forms of a window are executed as a whole, in the order in which they arrive, and nine are too many")
    func order() async throws {
        let web = try await WebHost()
        let (browser, other) = (web.browser(), web.browser())
        let page = try await browser.get("/board")
        let connections = try (0..<9).map { _ in try web.connection() }
        for (index, connection) in connections.enumerated() {
            // The first form waits between its two events.
            let pairs = index == 0 ? "field.name=slow&act.mark=row" : "field.name=\(index)&fill=name"
            try connection.send(form(pairs, number: index + 1, of: page, in: browser))
            // The server has read the form when it answers a later request.
            _ = try await other.send("GET", "/_web/web.css")
        }
        #expect(try await connections[8].response().status == 503)
        _ = try await other.press(try await other.get("/board"), ("press", "add"))
        for connection in connections.dropLast() { #expect(try await connection.response().status == 200) }
        let last = try await browser.reload(page)
        #expect(
            last.html.contains("name=slow;mark row;name=1;name=2;name=3;name=4;name=5;name=6;name=7<"), "\(last.html)")
    }

    /// Returns the request of a script that sends a form.
    private func form(_ pairs: String, number: Int, of page: Browser.Page, in browser: Browser) -> String {
        let body = "token=\(page.token)&nonce=\(page.nonce).\(number)&\(pairs)"
        let fields = browser.fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        return "POST /_window/\(page.window) HTTP/1.1\r\n\(fields)X-Viper-Live: 1\r\n"
            + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("The button to go back does not wait for an event that hangs")
    func backFromHanging() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let first = try await browser.get("/board")
        let second = try await browser.press(first, ("press", "more"))
        let hanging = try web.connection()
        try hanging.send(form("press=hang", number: 1, of: second, in: browser))
        _ = try await browser.send("GET", "/_web/web.css")
        let back = try await browser.submit(second, [("back", "1")], nonce: second.nonce + ".2")
        #expect(back.status == 303 && back["Location"] == first.address, "\(back)")
    }

    @Test("Back goes back to the scene of an address, and forward shows the scene that is open")
    func back() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let first = try await browser.get("/board")
        let second = try await browser.press(first, ("press", "more"))
        #expect(second.title == "1 board/more" && second.address.hasPrefix("/board/more?_w=\(first.window)."))
        let third = try await browser.press(second, ("press", "more"))
        #expect(third.address != second.address)
        #expect(try await browser.back(to: first).address == first.address)
        // The scenes above are closed.
        let forward = try await browser.back(to: third)
        #expect(forward.address == first.address && forward.title == "1 board")
        let replaced = try await browser.press(
            try await browser.press(forward, ("press", "more")), ("press", "replace"))
        #expect(try await browser.press(replaced, ("back", "1")).address == first.address)
        // Going back to a scene that was replaced leads below it.
        let fourth = try await browser.press(try await browser.reload(first), ("press", "more"))
        let fifth = try await browser.press(fourth, ("press", "replace"))
        #expect(try await browser.reload(fifth).address == fifth.address)
        #expect(try await browser.back(to: fourth).address == first.address)
        // The last scene closes the window.
        let start = try await browser.submit(try await browser.reload(first), [("back", "1")])
        #expect(start["Location"] == "/")
        #expect(try await browser.reload(first).window != first.window)
    }

    @Test("A bookmark opens a new window, and two tabs do not disturb each other")
    func tabs() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let first = try await browser.get("/board")
        let more = try await browser.press(first, ("press", "more"))
        let bookmark = try await browser.visit(first.address)
        #expect(bookmark.window != first.window && bookmark.title == "1 board")
        #expect(try await browser.reload(more).address == more.address)
        // The tab with a script shows the window, so a request that is no reload comes from another tab.
        let stream = try await browser.stream(more, from: more.nonce)
        let copy = try await browser.back(to: more)
        #expect(copy.window != more.window && copy.title == "1 board/more")
        #expect(try await browser.reload(more).window == more.window)
        // The script goes back within the same tab.
        let live = try await browser.get(first.address, ["Sec-Fetch-Site": "same-origin", "X-Viper-Live": "1"])
        #expect(live.window == first.window && live.title == "1 board")
        withExtendedLifetime(stream) {}
    }

    @Test("The last message of a window that its module closes is shown on the next page, once")
    func lastMessage() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let page = try await browser.get("/board")
        #expect(try await browser.submit(page, [("press", "close")]).status == 303)
        let next = try await eventually {
            try await browser.get("/board").html.contains(">Closed board</p>")
        }
        #expect(next)
        #expect(try await !browser.get("/board").html.contains("Closed board"))
        #expect(try await !web.browser().get("/board").html.contains("Closed board"))
    }

    @Test("Over the limit of windows, the oldest unused one closes, and its page says so")
    func limit() async throws {
        let web = try await WebHost(["web.windows=2"])
        let browser = web.browser()
        let first = try await browser.get("/board")
        let stream = try await browser.stream(first, from: first.nonce)
        let second = try await browser.get("/board")
        // The first window is older, but a page shows it.
        let third = try await browser.get("/board")
        #expect(Set([first.window, second.window, third.window]).count == 3)
        let reopened = try await browser.reload(second)
        #expect(reopened.window != second.window && reopened.html.contains("more than 2 windows were open"))
        // The third window was closed for the one that was opened again.
        let shown = try await browser.stream(reopened, from: reopened.nonce)
        _ = try await browser.get("/board")
        let event = try await stream.event()
        #expect(event.name == "closed" && event.data.contains("more than 2 windows were open"), "\(event)")
        withExtendedLifetime(shown) {}
    }

    @Test("An image of the topmost scene's module is served, and no other file", arguments: ["folder", "packed"])
    func image(resources: String) async throws {
        let root = try await WebHost.root()
        if resources == "packed" {
            let files = ["\(root.path)/Plugins/libBoard.so", "\(root.path)/Manifests/board.json"]
            let result = try await ChildProcess(Products.host, ["pack"] + files).run()
            #expect(result.text.contains("and 2 resources of board"), "\(result)")
            for file in [files[1], "\(root.path)/Plugins/Board"] { try FileManager.default.removeItem(atPath: file) }
        }
        let web = try await WebHost(in: root)
        let browser = web.browser()
        let page = try await browser.get("/board")
        let scene = Int(page.nonce.prefix { $0 != "-" }) ?? 0
        let path = "/_window/\(page.window)/image?scene=\(scene)&path="
        #expect(page.html.contains("image?scene=\(scene)&amp;path=dot.png"))
        let image = try await browser.send("GET", path + "dot.png")
        #expect(image.status == 200 && image["Content-Type"] == "image/png" && image["Content-Length"] == "11")
        for name in ["", "secret.json", "../outside.png", "..%2Foutside.png", "/etc/passwd", "none.png", "%00", "%zz"] {
            #expect(try await browser.send("GET", path + name).status == 404, "\(name)")
        }
        // The same path may be another image in another scene.
        let other = "/_window/\(page.window)/image?scene=\(scene + 1)&path=dot.png"
        #expect(try await browser.send("GET", other).status == 404)
    }

    @Test("The style and the script are files with a tag, so that browsers need not load them again")
    func assets() async throws {
        let web = try await WebHost()
        for (name, type) in [("web.css", "text/css; charset=utf-8"), ("web.js", "text/javascript; charset=utf-8")] {
            let asset = try await web.browser().send("GET", "/_web/\(name)")
            #expect(asset.status == 200 && asset["Content-Type"] == type)
            let tag = try #require(asset["ETag"])
            #expect(try await web.browser().send("GET", "/_web/\(name)", ["If-None-Match": tag]).status == 304)
        }
        #expect(try await web.browser().send("GET", "/_web/other.js").status == 404)
    }

    @Test(
        "A route that cannot open is a page with the error, and an event that hangs keeps the server answering", .long)
    func errors() async throws {
        let web = try await WebHost()
        let browser = web.browser()
        let unknown = try await browser.get("/bord")
        #expect(unknown.status == 404 && unknown.html.contains("did you mean: board"), "\(unknown)")
        #expect(try await browser.get("/board?none=1").status == 400)
        #expect(try await browser.get("/person?id=%").status == 400)
        let page = try await browser.get("/board")
        let hanging = try web.connection()
        let body = "token=\(page.token)&nonce=\(page.nonce)&press=hang"
        let fields = browser.fields.map { "\($0.key): \($0.value)\r\n" }.joined()
        try hanging.send(
            "POST /_window/\(page.window) HTTP/1.1\r\n\(fields)Content-Type: application/x-www-form-urlencoded\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        #expect(try await browser.get("/board").status == 200)
        let answer = try await hanging.response()
        #expect(answer.status == 303 && answer["Location"] == page.address)
    }
}
