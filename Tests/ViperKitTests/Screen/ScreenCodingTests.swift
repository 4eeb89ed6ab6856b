import Foundation
import Testing
import ViperKit

/// Decoding of a screen from JSON, where empty parts may be missing.
struct ScreenCodingTests {
    private func screen(_ json: String) throws -> Screen {
        try JSONDecoder().decode(Screen.self, from: Data(json.utf8))
    }

    @Test("A screen requires only a title")
    func bare() throws {
        #expect(try screen(#"{"title": "t"}"#) == Screen(title: "t"))
        #expect(throws: DecodingError.self) { try screen("{}") }
    }

    @Test("Each part of a screen decodes without the others")
    func parts() throws {
        #expect(try screen(#"{"title": "t", "text": "x"}"#).text == "x")
        #expect(try screen(#"{"title": "t", "emptyText": "e"}"#).emptyText == "e")
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
                #"{"title": "t", "form": {"fields": [{"id": "n", "label": "l", "value": "v", "kind": "text"}]}}"#
            )
            .form == Form(fields: [Field(id: "n", label: "l", value: "v", kind: .text)]))
    }

}
