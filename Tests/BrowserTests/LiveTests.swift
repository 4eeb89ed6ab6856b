import Foundation
import HostDriver
import Testing

extension BrowserTests {
    /// Changes that arrive at an open page.
    struct LiveTests {
        private let web: WebHost
        private let other: TestClient

        init() async throws {
            web = try await WebHost(["alert", "notes"]) { root in
                try await root.add(BoardModule.fixture("Board"), BoardModule.manifest)
            }
            other = try web.host.client()
            _ = try await other.call("open", #"{"route":"board"}"#)
        }

        /// Adds a line in another session.
        private func add(_ line: String) async throws {
            try await BoardModule.add(line, in: other)
        }

        @Test("The page about the host follows the registry without being loaded again")
        func host() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/_host")
                try await browser.wait(forHeading: "The host")
                try await browser.wait(forText: "0 refused")
                try await browser.script("window.mark = 1")
                try web.root.add(manifest: "{", as: "broken.json")
                try await browser.wait(forText: "1 refused")
                #expect(try await browser.text("window.mark") == "1")
            }
        }

        @Test("A change appears, and what is half typed stays with the focus, the selection and the scroll position")
        func change() async throws {
            try await Browser.run { browser in
                for number in 0..<60 { try await add("line \(number) ") }
                try await browser.go("\(web.url)/board")
                try await browser.wait(forText: "line 59")
                try await browser.fill("notes", "two\nlines")
                try await browser.fill("line", "half typed")
                try await browser.script("document.activeElement.setSelectionRange(2, 5); scrollTo(0, 200)")
                let place = try await browser.text("scrollY")
                try await add("from elsewhere ")
                try await browser.wait(forText: "from elsewhere s")
                #expect(try await browser.value(of: "line") == "half typed")
                #expect(try await browser.value(of: "notes") == "two\nlines")
                let state =
                    "[document.activeElement.name, document.activeElement.selectionStart, document.activeElement.selectionEnd].join()"
                #expect(try await browser.text(state) == "field.line,2,5")
                #expect(try await browser.text("scrollY") == place)
                // Screen readers announce the change.
                try await browser.wait("nothing is said", for: "document.getElementById('live').textContent !== ''")
                // Enter sends the typed text, and then the fields are empty again.
                try await browser.type(Key.enter)
                try await browser.wait(forText: "half typeds")
                #expect(try await browser.value(of: "line") == "")
                #expect(try await browser.value(of: "notes") == "")
            }
        }

        @Test("An answer that a newer change has overtaken does not hide the change")
        func overtaken() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.wait(forHeading: "Board")
                // The answer to the form arrives when the test says so.
                try await browser.script(
                    """
                    const fetch = window.fetch;
                    window.fetch = async (url, options) => {
                        const response = await fetch(url, options);
                        if (options.method === "POST" && /press/.test(options.body)) {
                            await new Promise((resume) => { window.resume = resume; });
                        }
                        return response;
                    };
                    """)
                try await browser.fill("line", "mine")
                try await browser.press("add")
                try await browser.wait("no answer", for: "window.resume")
                try await add("newer ")
                try await browser.wait(forText: "newer s")
                try await browser.script("window.resume()")
                // The typed text was sent.
                try await browser.wait(
                    "the field is not empty", for: "document.querySelector('[name=\"field.line\"]').value === ''")
                #expect(try await browser.content.contains("newer s"))
            }
        }

        @Test("A refused form keeps what was typed, and says why")
        func refused() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.fill("line", "kept")
                try await browser.script(
                    "document.querySelector('[name=\"field.notes\"]').value = 'x'.repeat(1200000)")
                try await browser.press("add")
                try await browser.wait(
                    "no notice", for: "document.getElementById('offline').innerText.includes('too large')")
                #expect(try await browser.value(of: "line") == "kept")
                try await browser.script("document.querySelector('[name=\"field.notes\"]').value = 'short'")
                try await browser.press("add")
                try await browser.wait(forText: "keptsshort")
                #expect(try await browser.text("document.getElementById('offline').hidden") == "1")
            }
        }

        @Test("A field is checked as soon as it is left, and toggles and choices are sent")
        func fields() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.fill("line", "loud!" + Key.tab)
                try await browser.wait(forText: "must not shout")
                try await browser.fill("line", "\u{E003}" + Key.tab)
                try await browser.wait(withoutText: "must not shout")
                try await browser.click("//input[@name='field.loud' and @type='checkbox']")
                try await browser.press("add")
                try await browser.wait(forText: "LOUD")
                // The key of the action, outside of fields.
                try await browser.script("document.activeElement.blur()")
                try await browser.fill("line", "second")
                try await browser.script("document.activeElement.blur()")
                try await browser.type("a")
                try await browser.wait(forText: "SECOND")
            }
        }

        @Test("A row's action, and the way back to a row")
        func rows() async throws {
            for line in ["one ", "two ", "three "] { try await add(line) }
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.click("(//button[@name='act.drop'])[1]")
                try await browser.wait(withoutText: "one s")
                try await browser.select("three s")
                try await browser.wait(forHeading: "Line")
                #expect(try await browser.text("document.activeElement.localName") == "h1")
                try await browser.type(Key.escape)
                try await browser.wait(forHeading: "Board")
                try await browser.wait(
                    "the focus is not on the row", for: "document.activeElement.innerText.includes('three s')")
            }
        }

        @Test("A change that arrives while the browser goes back does not lead back twice")
        func returning() async throws {
            try await add("one ")
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.select("one s")
                try await browser.wait(forHeading: "Line")
                // The browser goes back when the test says so.
                try await browser.script("window.returns = 0; history.back = () => { window.returns += 1; }")
                try await browser.goBack()
                try await browser.wait(forHeading: "Board")
                try await add("meanwhile ")
                try await browser.wait(forText: "meanwhile s")
                #expect(try await browser.text("window.returns") == "1")
                try await browser.script("History.prototype.back.call(history)")
                try await browser.wait(
                    "the address is not the board's",
                    for: "location.pathname + location.search === document.getElementById('screen').dataset.address")
                #expect(try await browser.address.hasPrefix("/board"))
                #expect(try await browser.heading == "Board")
            }
        }

        @Test(
            "A search starts while typing and keeps the focus, and Enter does not press an action",
            arguments: [true, false])
        func search(hasScripts: Bool) async throws {
            try await Browser.run(hasScripts: hasScripts) { browser in
                for title in ["Tea", "Bread"] {
                    try await browser.go("\(web.url)/notes")
                    try await browser.press("write")
                    try await browser.wait(forHeading: "New note")
                    try await browser.fill("title", title)
                    try await browser.fill("text", "\(title) from\nthe shop")
                    try await browser.press("save")
                    try await browser.wait(forText: "\(title) from")
                }
                try await browser.fill("search", "brea")
                if !hasScripts { try await browser.type(Key.enter) }
                try await browser.wait(withoutText: "Tea from")
                #expect(try await browser.value(of: "search") == "brea")
                if hasScripts {
                    #expect(try await browser.text("document.activeElement.name") == "field.search")
                    try await browser.type("x")
                    try await browser.wait(forText: "No note contains breax")
                    try await browser.type(Key.enter)
                    try await browser.wait(forHeading: "Notes")
                }
            }
        }

        @Test("A page keeps working without its stream, and shows the missed changes when the server is back")
        func stream() async throws {
            try await Browser.run { browser in
                try await browser.go("\(web.url)/board")
                try await browser.wait(forHeading: "Board")
                try await browser.devTools("Network.enable", [:])
                let offline: [String: Any] = [
                    "offline": true, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1,
                ]
                try await browser.devTools("Network.emulateNetworkConditions", offline)
                try await browser.fill("line", "kept")
                try await browser.press("add")
                try await browser.wait("no notice", for: "!document.getElementById('offline').hidden")
                #expect(try await browser.value(of: "line") == "kept")
                try await browser.devTools(
                    "Network.emulateNetworkConditions", offline.merging(["offline": false]) { $1 })
                try await browser.press("add")
                try await browser.wait(forText: "kepts")
                #expect(try await browser.text("document.getElementById('offline').hidden") == "1")
                try await add("after the pause ")
                try await browser.wait(forText: "after the pause s")
            }
        }
    }
}
