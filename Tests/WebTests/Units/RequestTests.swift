import HostDriver
import HostSystem
import Testing
import ViperKit

@testable import Web

/// The parts of a request.
struct RequestTests {
    @Test("An address has a route with its parameters, and the numbers of a window and a scene")
    func addresses() throws {
        let plain = try #require(PageAddress(target: "/person?id=58f9"))
        #expect(plain.route == "person?id=58f9" && plain.window == nil && plain.text == "/person?id=58f9")
        let own = try #require(PageAddress(target: "/person?id=3&_w=12.2&_c=1"))
        #expect(own.route == "person?id=3" && own.window == 12 && own.scene == 2)
        #expect(own.text == "/person?id=3&_w=12.2" && PageAddress("list", window: 1, scene: 1).text == "/list?_w=1.1")
        #expect(try #require(PageAddress(target: "/")).route == "" && PageAddress(target: "/?_w=1.2")?.window == 1)
        for mark in ["_w=", "_w=1", "_w=1.", "_w=.1", "_w=1.2.3", "_w=x.1", "_w=99999999999999999999.1"] {
            #expect(PageAddress(target: "/list?\(mark)")?.window == nil, "\(mark)")
        }
        for target in ["", "list", "//list", "/list/", "/a//b", "/%6cist", "/List", "/list\n", "/li st", "/../x", "/é"]
        {
            #expect(PageAddress(target: target) == nil, "\(target)")
        }
        let long = String(repeating: "x", count: 3_000)
        #expect(PageAddress("details?title=\(long)", window: 1, scene: 2).text == "/details?_w=1.2")
    }

    @Test("A form's pairs are decoded, and other bodies are refused")
    func forms() throws {
        let form = try #require(FormBody(Array("a=1&b=x+y%26&a=%C3%A9&c&=d&".utf8)))
        #expect(form["a"] == ["1", "é"] && form["b"] == ["x y&"] && form["c"] == [""] && form[""] == ["d"])
        for text in ["a=%", "a=%1", "a=%zz", "a=%ff", "%ff=a", "a=%C3"] { #expect(FormBody(Array(text.utf8)) == nil) }
        #expect(FormBody(Array(repeating: "a=b&", count: 2_000).joined().utf8) != nil)
        #expect(FormBody(Array(repeating: "a=b&", count: 2_001).joined().utf8) == nil)
    }

    @Test("A cookie is found by its whole name")
    func cookies() {
        var request = Request(method: "GET", target: "/a?from=x%20y&from=z&bad=%")
        request.fields[.cookie] = "xid=1; id=2;id=3; id2=4"
        #expect(request.cookie("id") == "2" && request.cookie("id2") == "4" && request.cookie("i") == nil)
        #expect(request.query("from") == nil)
        request.target = "/a?from=x%20y&from=z"
        #expect(request.query("from") == "x y" && request.query("to") == nil && request.path == "/a")
    }

    @Test("A target in absolute form names the host, whatever the field says")
    func absolute() {
        for (target, host, path) in [
            ("http://a.example:80/list?x=1", "a.example:80", "/list?x=1"), ("HTTPS://b", "b", "/"),
            ("http://c?x=http://d/", "c", "/?x=http://d/"), ("/list?x=http://d/", "own", "/list?x=http://d/"),
            ("*", "own", "*"), ("http://", "", "/"),
        ] {
            var request = Request(method: "GET", target: target, fields: [.host: "own"])
            request.splitTarget()
            #expect(request[.host] == host && request.target == path, "\(request)")
        }
    }

    @Test("A page's forms are executed once, and not after a later one")
    func turns() throws {
        var turns = FormTurns()
        let pages = [
            ("1-0-5", true), ("1-0-5", false), ("1-0-5.1", true), ("1-0-5.3", true), ("1-0-5.2", false),
            ("1-1-6.4", true),
            ("1-0-5.9", false),
            // No page has had this number yet.
            ("1-7-6", false),
        ]
        for (text, isTaken) in pages {
            let page = try #require(PageNumber(text))
            let receipt = turns.take(page)
            #expect((receipt == .taken) == isTaken, "\(text)")
        }
        for text in ["", "1", "1-2", "1-2-3-4", "a-1-1", "-1-1-1", "1-1-1.", "1-1-1.0", "1-1-1.1.1", "1-1-1.x", "1-1-"]
        {
            #expect(PageNumber(text) == nil, "\(text)")
        }
    }

    @Test("Host names and origins are compared as a whole, with their ports")
    func names() {
        let names = HostNames(listeningAt: "127.0.0.1:80", name: "Example.org:8080", isSecure: false)
        for name in ["127.0.0.1", "127.0.0.1:80", "LOCALHOST", "[::1]:80", "example.org:8080"] {
            #expect(names.allow(name), "\(name)")
        }
        for name in [nil, "", "example.org", "127.0.0.1:8080", "localhost:80:80", "xlocalhost"] {
            #expect(!names.allow(name), "\(name ?? "nil")")
        }
        #expect(names.base == "http://example.org:8080")
        #expect(HostNames(listeningAt: "192.0.2.1:8443", name: "a.b", isSecure: true).base == "https://a.b:8443")
        let secure = HostNames(listeningAt: "192.0.2.1:443", name: nil, isSecure: true)
        #expect(!secure.allow("localhost") && secure.allow("192.0.2.1"))
        func isOwn(_ origin: String?, _ site: String? = nil) -> Bool {
            var request = Request(method: "POST", target: "/")
            (request.fields[.origin], request.fields[.fetchSite]) = (origin, site)
            return secure.isOwn(request)
        }
        #expect(isOwn(nil) && isOwn("https://192.0.2.1") && isOwn("https://192.0.2.1", "same-origin"))
        #expect(
            !isOwn("http://192.0.2.1") && !isOwn("null") && !isOwn("https://192.0.2.1.evil")
                && !isOwn(nil, "cross-site"))
    }

    @Test("An event of a stream has one line of data for each line of text")
    func events() {
        let bytes = ServerSentEvent.text("screen", id: "1", "a\nb\r\ndata: c\rid: 2")
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "event: screen\nid: 1\ndata: a\ndata: b\ndata: \ndata: data: c\ndata: id: 2\n\n")
    }

    @Test("Secrets differ, and are equal only to themselves")
    func secrets() {
        let secrets = Set((0..<1_000).map { _ in Secret.make() })
        #expect(secrets.count == 1_000 && secrets.allSatisfy { $0.count == 32 })
        #expect(Secret.isEqual("ab", "ab") && !Secret.isEqual("ab", "ac") && !Secret.isEqual("ab", "a"))
    }

    @Test("The first bytes of a file tell whether it is an image")
    func images() {
        #expect(ImageType.of(Array("RIFF1234WEBPVP8 ".utf8)) == "image/webp")
        #expect(ImageType.of(Array("<svg xmlns=\"\"></svg>\n".utf8)) == "image/svg+xml")
        for text in ["", "<html>", "{}", "RIFF1234WAVE", "GIF8", "<svg"] {
            #expect(ImageType.of(Array(text.utf8)) == nil)
        }
    }

    @Test("A submission fills in the fields that differ from the screen, and then presses its button")
    func submissions() throws {
        var screen = Screen(title: "")
        var choice = Field(id: "tags", label: "", value: "red", kind: .choices)
        choice.options = ["red", "blue"].map { Field.Option(id: $0, title: $0) }
        screen.form = Form(fields: [
            Field(id: "name", label: "", value: "Ada", kind: .text), choice,
            Field(id: "on", label: "", value: "true", kind: .toggle),
            Field(id: "secret", label: "", value: "known", kind: .password),
        ])
        func events(_ body: String) throws -> [Event] {
            let request = Request(method: "POST", target: "/_window/1", body: Array(body.utf8))
            return try #require(Submission(request)).events(on: screen)
        }
        #expect(try events("field.name=Ada&field.tags=red&field.on=true&field.secret=") == [])
        #expect(
            try events("press=add&field.on=false&field.secret=new&field.tags=&field.name=Bob") == [
                .fill(field: "name", text: "Bob"), .fill(field: "tags", text: ""), .fill(field: "on", text: "false"),
                .fill(field: "secret", text: "new"), .press(action: "add"),
            ])
        #expect(try events("fill=name&field.name=B&field.on=false") == [.fill(field: "name", text: "B")])
        #expect(
            try events("act.mark=row") == [.act(row: "row", action: "mark")]
                && events("select=1") == [.select(row: "1")])
        #expect(try events("") == [])
        // The page has shown an earlier value of the module, and the user has not changed it.
        let shown = "shown.name=\(Page.digest(of: "Bob"))"
        #expect(try events("\(shown)&field.name=Bob&press=add") == [.press(action: "add")])
        #expect(try events("\(shown)&field.name=Eve") == [.fill(field: "name", text: "Eve")])
    }

    @Test("A stream sends no version that is older than one it has sent, whichever look is first")
    func versions() throws {
        let pools = Pools(connections: 100, windows: 20)
        let stream = try #require(EventStream.open(showing: 1, for: Client(), in: pools))
        func sent() -> String {
            var buffer = [UInt8](repeating: 0, count: 64)
            let count = buffer.withUnsafeMutableBytes { stream.read(into: $0) }
            return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
        }
        #expect(sent() == ":\n\n")
        stream.send(1, Array("one".utf8))
        stream.send(3, Array("three".utf8))
        stream.send(2, Array("two".utf8))
        #expect(sent() == "three" && sent() == "")
        stream.send(3, Array("three".utf8))
        stream.send(4, Array("four".utf8))
        #expect(sent() == "four")
    }
}
