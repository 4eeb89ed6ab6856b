import Foundation
import HostDriver
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

/// Agreement of `Manifests/screen.schema.json` and the JSON form of a screen.
@Suite(.fewAtOnce)
struct ScreenSchemaTests {
    private static let schema = "\(Products.repository)/Manifests/screen.schema.json"

    private func verdicts(_ texts: [String: String]) async throws -> [String: String?] {
        let folder = try ScratchFolder()
        let paths = try texts.map { try folder.write($0.value, to: "\($0.key).json") }
        return try await SchemaJudge.verdicts(Self.schema, on: paths)
    }

    @Test("The schema accepts written screens, on several lines and on one")
    func accepts() async throws {
        var odd = Screen(title: "")
        odd.sections = [Section(title: nil, rows: []), Section(title: "S", rows: [])]
        odd.sections[1].kind = Section.Kind(rawValue: "chart")
        odd.form = Form(fields: [Field(id: "", label: "", value: "v", kind: Field.Kind(rawValue: "colour"))])
        odd.alert = Alert(title: "", message: nil, actions: [])
        var texts: [String: String] = [:]
        for (name, screen) in [
            ("bare", Screen(title: "t")), ("odd", odd), ("everything", everythingScreen), ("refined", refinedScreen),
            ("empty", emptyScreen),
        ] {
            texts[name] = try renderJSON(screen)
            let line = try renderJSONLine(screen)
            #expect(line.filter(\.isNewline).count == 1 && line.hasSuffix("\n"))
            texts["\(name)-line"] = line
        }
        for (name, verdict) in try await verdicts(texts) { #expect(verdict == nil, "\(name)") }
    }

    @Test("The schema refuses texts that are not screens and forms that are never written")
    func refuses() async throws {
        let texts = [
            "no-title": "{}",
            "unknown": #"{"title": "t", "colour": "red"}"#,
            "empty-part": #"{"title": "t", "sections": []}"#,
            "null": #"{"title": "t", "text": null}"#,
            "not-loading": #"{"title": "t", "loading": false}"#,
            "row": #"{"title": "t", "sections": [{"rows": [{"id": "1"}]}]}"#,
            "field": #"{"title": "t", "form": {"fields": [{"id": "n", "label": "l", "kind": "text"}]}}"#,
            "password":
                #"{"title": "t", "form": {"fields": [{"id": "n", "label": "l", "value": "v", "kind": "password"}]}}"#,
            "unknown-kind":
                #"{"title": "t", "form": {"fields": [{"id": "n", "label": "l", "value": "v", "kind": "colour"}]}}"#,
            "default-kind": #"{"title": "t", "sections": [{"rows": [], "kind": "rows"}]}"#,
            "selectable": #"{"title": "t", "sections": [{"rows": [{"id": "1", "title": "r", "selectable": true}]}]}"#,
            "leading":
                #"{"title": "t", "sections": [{"rows": [], "columns": [{"title": "c", "alignment": "leading"}]}]}"#,
            "fraction": #"{"title": "t", "progress": {"fraction": 1.5}}"#,
            "alert": #"{"title": "t", "alert": {"title": "a"}}"#,
        ]
        let verdicts = try await verdicts(texts)
        #expect(verdicts.count == texts.count)
        for (name, verdict) in verdicts { #expect(verdict != nil, "\(name)") }
    }

    @Test("The schema describes exactly the properties of a full screen")
    func nothingMore() throws {
        let keys = try [everythingScreen, refinedScreen, emptyScreen].reduce(into: Set<String>()) {
            $0.formUnion(Self.keys(of: try JSONSerialization.jsonObject(with: Data(renderJSON($1).utf8))))
        }
        #expect(try Self.properties() == keys)
    }

    /// Returns the names of all properties in the schema.
    static func properties() throws -> Set<String> {
        properties(of: try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: schema))))
    }

    /// Returns the names under every `properties` key, at any depth.
    private static func properties(of schema: Any) -> Set<String> {
        guard let object = schema as? [String: Any] else { return [] }
        let own = (object["properties"] as? [String: Any]).map { Set($0.keys) } ?? []
        return object.values.reduce(own) { $0.union(properties(of: $1)) }
    }

    static func keys(of value: Any) -> Set<String> {
        if let list = value as? [Any] { return list.reduce([]) { $0.union(keys(of: $1)) } }
        guard let object = value as? [String: Any] else { return [] }
        return object.values.reduce(Set(object.keys)) { $0.union(keys(of: $1)) }
    }
}
