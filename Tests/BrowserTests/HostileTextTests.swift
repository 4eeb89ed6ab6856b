import HostDriver
import TestSupport
import Testing
import ViperKit

extension BrowserTests {
    /// Hostile texts in a real parser of HTML.
    struct HostileTextTests {
        @Test("Hostile texts change nothing but text")
        func corpus() async throws {
            let screens = HostileText.short.enumerated().map {
                (name: "\(name(of: $0.offset))", screen: Screen.filled(with: $0.element.text))
            }
            let plain = (name: "plain", screen: Screen.filled(with: "plain words"))
            let web = try await WebHost { try await GalleryModule.add(screens + [plain], to: $0) }
            try await Browser.run { browser in
                // A text of one character may be a key.
                let structure = "[...document.querySelectorAll(':not(kbd)')].map((element) => element.localName).join()"
                try await browser.go("\(web.url)/gallery/plain")
                try await browser.wait(forHeading: "plain words")
                let expected = try await browser.text(structure)
                for (number, hostile) in HostileText.short.enumerated() {
                    // A dialog of an injected script would fail the next command.
                    try await browser.go("\(web.url)/gallery/\(name(of: number))")
                    // The page that leads here may still be shown.
                    try await browser.wait("no screen", for: "document.querySelector('main')")
                    #expect(try await browser.text(structure) == expected, "\(hostile.name)")
                    // The script of the page merges the same content.
                    try await browser.reload()
                    #expect(try await browser.text(structure) == expected, "\(hostile.name)")
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
