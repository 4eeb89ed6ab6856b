import Foundation
import HostSystem
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

/// The corpus of hostile texts in each property of a screen. Another text changes nothing but itself.
struct HostileScreenTests {
    private static let (line, lines) = ("ONE", "MANY")

    private func shown(_ screen: Screen) -> [String] {
        TextRenderer(style: TextStyle(isColoured: false)).render(screen).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(Self.squeezed)
    }

    /// Returns a line with single spaces, because the width of a text decides how many follow it.
    private static func squeezed(_ line: some StringProtocol) -> String {
        // A combining mark after a space does not make it another character here.
        let words: [ArraySlice<Unicode.Scalar>] = Array(String(line).unicodeScalars).split(separator: " ")
        return words.map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
    }

    /// Returns the text form of a screen in which the texts `ONE` and `MANY` are replaced, the latter by its lines.
    private func expected(_ screen: Screen, _ text: String) -> [String] {
        let (one, many) = (
            printable(text), printableLines(text).split(separator: "\n", omittingEmptySubsequences: false)
        )
        return shown(screen).flatMap { line in
            if !line.contains(Self.lines) { return [line.replacing(Self.line, with: one)] }
            return many.map { line.replacing(Self.lines, with: $0) }
        }.map(Self.squeezed)
    }

    @Test(
        "A hostile text in each property changes no line of the text form but itself", arguments: HostileText.short,
        [false, true])
    func text(hostile: HostileText, isEmpty: Bool) {
        let plain = Screen.filled(with: Self.line, lines: Self.lines, isEmpty: isEmpty)
        let (shown, expected) = (shown(.filled(with: hostile.text, isEmpty: isEmpty)), expected(plain, hostile.text))
        #expect(shown.count == expected.count)
        for (line, other) in zip(shown, expected) where !line.unicodeScalars.elementsEqual(other.unicodeScalars) {
            Issue.record("\(line.debugDescription) is not \(other.debugDescription)")
        }
    }

    @Test("A text of 1 MB changes no line of the text form but itself", arguments: HostileText.large)
    func largeText(hostile: HostileText) {
        let (shown, expected) = (shown(.sketched(with: hostile.text)), printable(hostile.text))
        let count = printableLines(hostile.text).utf8.count(where: { $0 == 0x0A }) + 1
        // The title, the text, the section's title, the row with its text, the field, and the end.
        #expect(shown.count == 5 + 2 * count)
        #expect(shown.first == Self.squeezed(expected) && shown.last == "")
    }

    @Test("A hostile text is one string in JSON, which is read back", arguments: HostileText.short, [false, true])
    func json(hostile: HostileText, isEmpty: Bool) throws {
        try expectIntact(
            .filled(with: hostile.text, isEmpty: isEmpty), like: .filled(with: Self.line, isEmpty: isEmpty))
    }

    @Test("A text of 1 MB is one string in JSON, which is read back", arguments: HostileText.large)
    func largeJSON(hostile: HostileText) throws {
        try expectIntact(.sketched(with: hostile.text), like: .sketched(with: Self.line))
    }

    private func expectIntact(_ screen: Screen, like plain: Screen) throws {
        let (json, line) = (try renderJSON(screen), try renderJSONLine(screen))
        let feeds = { (text: String) in text.utf8.count(where: { $0 == 0x0A }) }
        #expect(feeds(json) == feeds(try renderJSON(plain)) && feeds(line) == 1)
        for text in [json, line] {
            // The test of `printable` compares it with a list of harmful characters.
            #expect(printableLines(text).unicodeScalars.elementsEqual(text.unicodeScalars))
            let read = try FoundationJSONCoder().decode(Screen.self, from: Array(text.utf8), named: "screen")
            // Equal strings may consist of other scalars. Their JSON does not.
            #expect(try renderJSONLine(read) == line)
            #expect(read == screen.withoutSecrets)
        }
    }

    @Test("The filled screens have every property of the schema")
    func everyProperty() throws {
        let keys = try [Screen.filled(with: Self.line), .filled(with: Self.line, isEmpty: true)].map {
            ScreenSchemaTests.keys(of: try JSONSerialization.jsonObject(with: Data(renderJSON($0).utf8)))
        }
        #expect(keys[0].union(keys[1]) == (try ScreenSchemaTests.properties()))
    }
}

extension Screen {
    /// The screen as its JSON form has it.
    fileprivate var withoutSecrets: Screen {
        var screen = self
        for index in form?.fields.indices ?? 0..<0 where form?.fields[index].kind.isSecret == true {
            screen.form?.fields[index].value = ""
        }
        return screen
    }
}
