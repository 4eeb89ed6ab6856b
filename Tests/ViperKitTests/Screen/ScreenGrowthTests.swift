import Foundation
import Testing
import ViperKit

/// Screens of older and of newer versions as JSON.
struct ScreenGrowthTests {
    /// A screen with all parts, in which every value that an older version may omit is missing.
    private static let older = #"""
        {"title": "t", "sections": [{}, {"rows": [{"id": "1", "title": "r"}]}],
         "form": {"fields": [{"id": "n", "label": "l", "kind": "text"}]},
         "actions": [{"id": "a", "title": "A"}], "alert": {"title": "a", "actions": [{"id": "b", "title": "B"}]}}
        """#

    private func screen(_ json: String) throws -> Screen {
        try JSONDecoder().decode(Screen.self, from: Data(json.utf8))
    }

    /// Returns a JSON value with a further key in each object, at any depth.
    private static func grown(_ value: Any) -> Any {
        if let list = value as? [Any] { return list.map(grown) }
        guard let object = value as? [String: Any] else { return value }
        return object.mapValues(grown).merging(["later": ["id": 7, "rows": "x"]]) { $1 }
    }

    @Test("A screen of an older version decodes, and its missing values are the defaults")
    func olderScreen() throws {
        var expected = Screen(title: "t")
        expected.sections = [Section(rows: []), Section(rows: [Row(id: "1", title: "r")])]
        expected.form = Form(fields: [Field(id: "n", label: "l", value: "", kind: .text)])
        expected.actions = [Action(id: "a", title: "A")]
        expected.alert = Alert(title: "a", message: nil, actions: [Action(id: "b", title: "B")])
        #expect(try screen(Self.older) == expected)
        #expect(expected.sections.map(\.kind) == [.rows, .rows])
    }

    @Test("Unknown properties are ignored in each part of a screen")
    func unknownProperties() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.older.utf8))
        let json = String(decoding: try JSONSerialization.data(withJSONObject: Self.grown(object)), as: UTF8.self)
        // The screen, 2 sections, a row, a form, a field, 2 actions and an alert.
        #expect(json.ranges(of: #""later""#).count == 9)
        #expect(try screen(json) == screen(Self.older))
    }

    @Test("A section of an unknown kind keeps its kind, title and rows")
    func unknownSection() throws {
        let json = #"""
            {"title": "t", "sections": [
                {"kind": "chart", "title": "Sales", "bars": [1, 2], "rows": [{"id": "1", "title": "r"}]},
                {"kind": "image", "file": "a.png"}]}
            """#
        var read = try screen(json)
        for _ in 1...2 { read = try JSONDecoder().decode(Screen.self, from: JSONEncoder().encode(read)) }
        #expect(read.sections.map(\.kind.rawValue) == ["chart", "image"])
        #expect(read.sections.map(\.title) == ["Sales", nil])
        #expect(read.sections.map(\.rows) == [[Row(id: "1", title: "r")], []])
    }

    @Test("The kind of a list of rows is not written, so that a version without kinds reads it")
    func defaultKind() throws {
        let json = String(decoding: try JSONEncoder().encode(Section(rows: [])), as: UTF8.self)
        #expect(json == #"{"rows":[]}"#)
    }

    @Test("A field of an unknown kind keeps its kind and label, and its value is treated as a secret")
    func unknownField() throws {
        let json = #"{"id": "n", "label": "l", "value": "s3cret", "kind": "pin"}"#
        let field = try JSONDecoder().decode(Field.self, from: Data(json.utf8))
        #expect(field.kind == Field.Kind(rawValue: "pin") && field.kind.isSecret && field.label == "l")
        #expect(field.value == "s3cret")
        let data = try JSONEncoder().encode(field)
        var dumped = ""
        dump(field, to: &dumped)
        for text in ["\(field)", dumped, String(decoding: data, as: UTF8.self)] {
            #expect(text.contains("pin") && !text.contains("s3cret"))
        }
        #expect(try JSONDecoder().decode(Field.self, from: data).kind == field.kind)
    }

    @Test("Only the values of text and numbers are no secrets")
    func secrets() {
        let kinds: [Field.Kind] = [.text, .number, .password, Field.Kind(rawValue: ""), Field.Kind(rawValue: "Text")]
        #expect(kinds.map(\.isSecret) == [false, false, true, true, true])
    }
}
