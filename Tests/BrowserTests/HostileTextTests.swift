import HostDriver
import TestSupport
import Testing
import ViperKit

extension BrowserTests {
    /// Hostile texts in a real parser of HTML.
    struct HostileTextTests {
        private static let corpus = [
            "<script>window.broken = 1</script>", "\"><img src=x onerror=\"window.broken=1\">",
            "' onfocus='window.broken=1' autofocus='",
            "</textarea></title><h1>Mine</h1>", "<!--", "a\u{202E}b\u{2066}c", "\u{1}\u{7}\u{1B}[31m\u{85}",
            "javascript:window.broken=1",
        ]

        private static func screen(_ text: String) -> Screen {
            var row = Row(id: text, title: text, detail: text)
            (row.text, row.badge, row.actions) = (text, text, [Action(id: text, title: text)])
            var screen = Screen(title: text)
            (screen.text, screen.message) = (text, text)
            screen.alert = Alert(title: text, message: text, actions: [Action(id: text, title: text)])
            screen.sections = [Section(title: text, rows: [row])]
            screen.form = Form(
                fields: [Field.Kind.text, .multiline, .date, .search].map { kind in
                    var field = Field(id: "\(kind.rawValue)\(text)", label: text, value: text, kind: kind)
                    (field.help, field.error, field.placeholder) = (text, text, text)
                    return field
                })
            screen.actions = [Action(id: text, title: text)]
            return screen
        }

        @Test("Hostile texts change nothing but text")
        func corpus() async throws {
            let screens = Self.corpus.enumerated().map {
                (name: "\(name(of: $0.offset))", screen: Self.screen($0.element))
            }
            let plain = (name: "plain", screen: Self.screen("plain words"))
            let web = try await WebHost { try await GalleryModule.add(screens + [plain], to: $0) }
            try await Browser.run { browser in
                let structure = "[...document.querySelectorAll('*')].map((element) => element.localName).join()"
                try await browser.go("\(web.url)/gallery/plain")
                try await browser.wait(forHeading: "plain words")
                let expected = try await browser.text(structure)
                for (number, text) in Self.corpus.enumerated() {
                    try await browser.go("\(web.url)/gallery/\(name(of: number))")
                    #expect(try await browser.text(structure) == expected, "\(text)")
                    #expect(try await browser.text("window.broken ?? 0") == "0", "\(text)")
                    // The script of the page merges the same content.
                    try await browser.reload()
                    #expect(try await browser.text(structure) == expected, "\(text)")
                }
                #expect(try await browser.messages().filter { $0.contains("Content Security Policy") } == [])
            }
        }

        private func name(of number: Int) -> String { "n\(number)" }

        @Test("A page of 10,000 rows is shown, and a text of 1 MB")
        func large() async throws {
            var (rows, text) = (Screen(title: "Rows"), Screen(title: "Text"))
            rows.sections = [Section(rows: (0..<10_000).map { Row(id: $0, title: "Row \($0)", detail: "\($0)") })]
            text.text = String(repeating: "<b>\u{202E}é & ", count: 80_000)
            let web = try await WebHost { [rows, text] in
                try await GalleryModule.add([("rows", rows), ("text", text)], to: $0)
            }
            try await Browser.run { browser in
                try await browser.go("\(web.url)/gallery/rows")
                try await browser.wait("not all rows", for: "document.querySelectorAll('.row').length === 10000")
                try await browser.go("\(web.url)/gallery/text")
                try await browser.wait(
                    "not the whole text", for: "document.querySelector('.text').textContent.length === 640000")
                #expect(try await browser.text("document.querySelectorAll('main b').length") == "0")
            }
        }
    }
}
