import FoundationXML
import HostSystem
import Testing
import ViperKit

@testable import Web

/// Hostile texts in each part of a screen. They change nothing but text.
struct HostilePageTests {
    static let corpus = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)' autofocus='",
        "</textarea></title></style></script><h1>Mine</h1>", "<!-- ", "]]>", "<![CDATA[", "&lt;b&gt; &amp;amp; &#x3C;",
        "{{1+1}} ${1} `x`", "javascript:alert(1)", "\u{0}\u{1}\u{7}\u{8}\u{B}\u{1B}[31m\u{7F}\u{85}\u{9B}",
        "a\u{202E}b\u{2066}c\u{200F}d\u{061C}e", "\u{FEFF}\u{2028}\u{2029}\u{FFFE}\u{FFFF}\u{1FFFF}\u{E0041}", "\r\n\t",
        "👩‍👩‍👧‍👦 é e\u{301} ﷽ \u{200D}", "", " ", String(repeating: "\u{301}", count: 500),
    ]

    /// A screen with a text in each place.
    static func screen(_ text: String) -> Screen {
        var action = Action(id: text, title: text)
        (action.disabledReason, action.key, action.role) = (text, text, .init(rawValue: text))
        let image = Screen.Image(path: text, alternative: text)
        var row = Row(id: text, title: text, detail: text)
        (row.cells, row.text, row.badge, row.tone) = ([text], text, text, .init(rawValue: text))
        (row.image, row.isChecked, row.actions, row.numbers) = (image, true, [action], [1])
        var plain = row
        (plain.cells, plain.isSelectable, plain.id) = ([], false, text + "2")
        var screen = Screen(title: text)
        (screen.image, screen.text, screen.message) = (image, text, text)
        screen.alert = Alert(title: text, message: text, actions: [action])
        screen.progress = Screen.Progress(fraction: 1, text: text)
        screen.sections = [.rows, .table, .barChart, .lineChart, Section.Kind(rawValue: text)].map { kind in
            var section = Section(title: text, rows: kind == .rows ? [plain] : [row])
            (section.kind, section.footer, section.more) = (kind, text, .init(action, status: text))
            section.columns = [.init(text, alignment: .init(rawValue: text)), .init(text)]
            return section
        }
        let kinds: [Field.Kind] = [
            .text, .number, .date, .password, .multiline, .toggle, .choice, .choices, .search, .init(rawValue: text),
        ]
        screen.form = Form(
            fields: kinds.map { kind in
                var field = Field(id: text, label: text, value: text, kind: kind)
                (field.error, field.help, field.placeholder) = (text, text, text)
                field.options = [.init(id: text, title: text)]
                return field
            })
        screen.actions = [action, Action(id: text, title: text)]
        return screen
    }

    private func page(_ text: String, emptyText: Bool = false) -> [String] {
        var screen = Self.screen(text)
        if emptyText {
            (screen.sections, screen.emptyText, screen.emptyAction) = ([], text, Action(id: text, title: text))
        }
        let scenes = [
            OpenScene(route: text, title: text, transition: .push),
            .init(route: text, title: text, transition: .present),
        ]
        let error = ViperError(.timeLimit, operation: text, subject: text, cause: text)
        let state = WindowState(screen: screen, scenes: emptyText ? [] : scenes, error: error)
        let context = PageContext(window: 1, token: text, nonce: text, address: text, notice: text)
        return [Page.document(state, context), Page.problem(text, text, status: 1)]
    }

    /// Returns the elements and the names of attributes of a page, without texts.
    /// Returns the elements and the names of their attributes, without texts. Keys, and options that are chosen, depend on
    /// the text.
    private func structure(_ pages: [String]) throws -> [String] {
        try pages.flatMap { page in
            try Markup(page).elements("//*[not(self::kbd) and not(self::option)]").map { element in
                let names = (element.attributes ?? []).compactMap(\.name)
                let fixed = names.filter { !["accesskey", "checked"].contains($0) }
                return "\(element.name ?? "") \(fixed.sorted().joined(separator: " "))"
            }
        }
    }

    @Test("Hostile texts leave the elements and attributes of a page as they are", arguments: corpus, [false, true])
    func structure(text: String, isEmpty: Bool) throws {
        let found = try structure(page(text, emptyText: isEmpty))
        // Parts without a text are left out.
        if text.isEmpty { return }
        #expect(try found == structure(page("plain words", emptyText: isEmpty)))
    }

    @Test("The characters that are replaced are those that the host's text replaces", arguments: corpus)
    func characters(text: String) {
        #expect(text.replacingUnsafe(.line) == printable(text))
        #expect(text.replacingUnsafe(.lines) == printableLines(text))
        // IDs keep their characters, because the browser has to send them back.
        let own = Set(text.unicodeScalars)
        let others = Set(page(text).joined().unicodeScalars).subtracting(own).subtracting(["\n", "\u{FFFD}"])
        #expect(others.filter { printable("a\($0)") != "a\($0)" }.isEmpty)
    }

    @Test("An ID comes back from the page as it was, also with line breaks and quotes")
    func ids() throws {
        for id in Self.corpus
        where !id.unicodeScalars.contains(where: { $0.value < 9 || $0 == "\u{B}" || $0.value & 0xFFFE == 0xFFFE }) {
            var screen = Screen(title: "IDs")
            screen.sections = [Section(rows: [Row(id: id, title: "Row")])]
            let page = try Markup(Page.content(WindowState(screen), .sample))
            #expect(try page.value("value", of: "//button[@name='select']") == id)
        }
    }

    @Test("A text of 1 MB is only a text", arguments: ["<b>\u{202E}é", "a"])
    func large(unit: String) throws {
        let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
        var screen = Screen(title: text)
        (screen.text, screen.message) = (text, text)
        screen.sections = [Section(rows: [Row(id: 1, title: text)])]
        screen.form = Form(fields: [Field(id: "a", label: "A", value: text, kind: .multiline)])
        let page = Page.document(WindowState(screen), .sample)
        #expect(page.utf8.count < 6 * 10 * 1_000_000)
        #expect(!page.contains("<b>") && !page.unicodeScalars.contains("\u{202E}"))
    }

    @Test("The work for a page grows with its rows, and not with their square")
    func linear() {
        func copied(_ count: Int) -> (copied: Int, size: Int) {
            var screen = Screen(title: "Rows")
            screen.sections = [
                Section(rows: (0..<count).map { Row(id: 1_000_000 + $0, title: "Title", detail: "Detail") })
            ]
            let state = WindowState(screen)
            return (Page.copiedBytes(state, .sample), Page.content(state, .sample).utf8.count)
        }
        let (small, large) = (copied(1_000), copied(16_000))
        #expect(large.copied < 17 * small.copied)
        // Each byte is copied once for each element around it.
        #expect(large.copied < 8 * large.size)
    }
}
