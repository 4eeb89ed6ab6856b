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

    @Test(
        "An offer tells how many rows are shown, and there is none if all are",
        arguments: [
            (20, 45, "20 of 45"), (20, 2_000, "20 of 2,000"), (999, 1_000_000, "999 of 1,000,000"),
            (123_456, 7_654_321, "123,456 of 7,654,321"), (0, 1, "0 of 1"), (20, 20, nil), (40, 20, nil), (0, 0, nil),
        ] as [(Int, Int, String?)])
    func more(shown: Int, count: Int, status: String?) {
        let more = Section.More(Action(id: "more", title: "More"), shown: shown, of: count)
        #expect(more?.status == status && (more == nil) == (status == nil))
    }
}
