import FoundationXML
import HostSystem
import TestSupport
import Testing
import ViperKit

@testable import Web

/// Hostile texts in each part of a screen. They change nothing but text.
struct HostilePageTests {
    private func page(_ text: String, isEmpty: Bool = false) -> [String] {
        let screen = Screen.filled(with: text, isEmpty: isEmpty)
        let scenes = [
            OpenScene(route: text, title: text, transition: .push),
            .init(route: text, title: text, transition: .present),
        ]
        let error = ViperError(.timeLimit, operation: text, subject: text, cause: text)
        let state = WindowState(screen: screen, scenes: isEmpty ? [] : scenes, error: error)
        let context = PageContext(window: 1, token: text, nonce: text, address: text, notice: text)
        return [Page.document(state, context), Page.problem(text, text, status: 1)]
    }

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

    @Test(
        "Hostile texts leave the elements and attributes of a page as they are", arguments: HostileText.short,
        [false, true])
    func structure(hostile: HostileText, isEmpty: Bool) throws {
        #expect(
            try structure(page(hostile.text, isEmpty: isEmpty)) == structure(page("plain words", isEmpty: isEmpty)))
    }

    @Test("A page contains no harmful characters, except for those of IDs", arguments: HostileText.short)
    func characters(hostile: HostileText) {
        // IDs keep their characters, because the browser has to send them back.
        let own = Set(hostile.text.unicodeScalars)
        let others = Set(page(hostile.text).joined().unicodeScalars).subtracting(own).subtracting(["\n"])
        #expect(others.filter { printable("a\($0)") != "a\($0)" }.isEmpty)
    }

    @Test("An ID comes back from the page as it was, also with line breaks and quotes", arguments: HostileText.short)
    func ids(hostile: HostileText) throws {
        // A document cannot contain these characters.
        let isImpossible = hostile.text.unicodeScalars.contains {
            $0.value < 9 || ["\u{B}", "\u{C}", "\u{1B}"].contains($0) || $0.value & 0xFFFE == 0xFFFE
        }
        if isImpossible { return }
        var screen = Screen(title: "IDs")
        screen.sections = [Section(rows: [Row(id: hostile.text, title: "Row")])]
        let page = try Markup(Page.content(WindowState(screen), .sample))
        #expect(try page.value("value", of: "//button[@name='select']") == hostile.text)
    }

    @Test("A text of 1 MB is only a text", arguments: HostileText.large)
    func large(hostile: HostileText) throws {
        let page = Page.document(WindowState(.sketched(with: hostile.text)), .sample)
        // No character takes more than six bytes, such as those of a quote, and six parts show the text.
        #expect(page.utf8.count < 6 * 6 * hostile.text.utf8.count)
        #expect(!page.contains("<b a") && !page.unicodeScalars.contains { ["\u{1B}", "\u{202E}"].contains($0) })
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
