import Foundation
import Testing
import ViperKit

/// The JSON form of a screen: parts that are empty are left out, and may be left out.
struct ScreenCodingTests {
    private func screen(_ json: String) throws -> Screen {
        try JSONDecoder().decode(Screen.self, from: Data(json.utf8))
    }

    @Test("a title is all that a screen needs")
    func bare() throws {
        #expect(try screen(#"{"title": "t"}"#) == Screen(title: "t"))
        #expect(throws: DecodingError.self) { try screen("{}") }
    }

    @Test("every part may come alone")
    func parts() throws {
        #expect(try screen(#"{"title": "t", "text": "x"}"#).text == "x")
        #expect(try screen(#"{"title": "t", "empty": "e"}"#).empty == "e")
        #expect(try screen(#"{"title": "t", "loading": true}"#).isLoading)
        #expect(
            try screen(#"{"title": "t", "actions": [{"id": "a", "title": "A"}]}"#).actions == [
                Action(id: "a", title: "A")
            ])
        #expect(
            try screen(#"{"title": "t", "sections": [{"rows": [{"id": "1", "title": "r"}]}]}"#).sections
                == [Section(rows: [Row(id: "1", title: "r")])])
        #expect(
            try screen(#"{"title": "t", "alert": {"title": "a", "actions": []}}"#).alert
                == Alert(title: "a", message: nil, actions: []))
        #expect(
            try screen(
                #"{"title": "t", "form": {"fields": [{"name": "n", "label": "l", "value": "v", "kind": "text"}]}}"#
            )
            .form == Form(fields: [Field(name: "n", label: "l", value: "v", kind: .text)]))
    }

    @Test("a key that a newer ViperKit has is passed over")
    func newerKey() throws {
        #expect(try screen(#"{"title": "t", "chart": {}}"#) == Screen(title: "t"))
    }

    @Test("a kind of field that this ViperKit does not know keeps its name")
    func newerKind() throws {
        let kind = Field.Kind(rawValue: "colour")
        let data = try JSONEncoder().encode(Field(name: "n", label: "l", value: "v", kind: kind))
        #expect(try JSONDecoder().decode(Field.self, from: data).kind == kind)
    }
}
