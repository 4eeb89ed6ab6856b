import Foundation
import TestSupport
import Testing
import ViperKit

@testable import ViperRuntime

/// `Manifests/screen.schema.json` and the JSON form of a screen say the same.
@Suite(.fewAtOnce)
struct ScreenSchemaTests {
    private static let schema = "\(Products.repository)/Manifests/screen.schema.json"

    private func verdicts(_ texts: [String: String]) async throws -> [String: String?] {
        let folder = try ScratchFolder()
        let paths = try texts.map { try folder.write($0.value, to: "\($0.key).json") }
        return try await SchemaJudge.verdicts(Self.schema, on: paths)
    }

    @Test("the schema accepts what is written of every screen, in many lines and in one")
    func accepts() async throws {
        var odd = Screen(title: "")
        odd.sections = [Section(title: nil, rows: [])]
        odd.form = Form(fields: [Field(name: "", label: "", value: "", kind: Field.Kind(rawValue: "colour"))])
        odd.alert = Alert(title: "", message: nil, actions: [])
        var texts: [String: String] = [:]
        for (name, screen) in [("bare", Screen(title: "t")), ("odd", odd), ("everything", everythingScreen)] {
            texts[name] = try renderJSON(screen)
            let line = try renderJSONLine(screen)
            #expect(line.filter(\.isNewline).count == 1 && line.hasSuffix("\n"))
            texts["\(name)-line"] = line
        }
        for (name, verdict) in try await verdicts(texts) { #expect(verdict == nil, "\(name)") }
    }

    @Test("the schema refuses what a screen cannot be read from, and what none is written as")
    func refuses() async throws {
        let texts = [
            "no-title": "{}",
            "unknown": #"{"title": "t", "colour": "red"}"#,
            "empty-part": #"{"title": "t", "sections": []}"#,
            "null": #"{"title": "t", "text": null}"#,
            "not-loading": #"{"title": "t", "loading": false}"#,
            "row": #"{"title": "t", "sections": [{"rows": [{"id": "1"}]}]}"#,
            "field": #"{"title": "t", "form": {"fields": [{"name": "n", "label": "l", "kind": "text"}]}}"#,
            "password":
                #"{"title": "t", "form": {"fields": [{"name": "n", "label": "l", "value": "v", "kind": "password"}]}}"#,
            "alert": #"{"title": "t", "alert": {"title": "a"}}"#,
        ]
        let verdicts = try await verdicts(texts)
        #expect(verdicts.count == texts.count)
        for (name, verdict) in verdicts { #expect(verdict != nil, "\(name)") }
    }

    @Test("every property that the schema describes is written of a screen with everything")
    func nothingMore() throws {
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: Self.schema)))
        let screen = try JSONSerialization.jsonObject(with: Data(renderJSON(everythingScreen).utf8))
        #expect(Self.properties(of: schema).subtracting(Self.keys(of: screen)) == [])
        #expect(Self.properties(of: schema).isSuperset(of: Self.keys(of: screen)))
    }

    /// The names under every `properties`, wherever it stands.
    private static func properties(of schema: Any) -> Set<String> {
        guard let object = schema as? [String: Any] else { return [] }
        let own = (object["properties"] as? [String: Any]).map { Set($0.keys) } ?? []
        return object.values.reduce(own) { $0.union(properties(of: $1)) }
    }

    private static func keys(of value: Any) -> Set<String> {
        if let list = value as? [Any] { return list.reduce([]) { $0.union(keys(of: $1)) } }
        guard let object = value as? [String: Any] else { return [] }
        return object.values.reduce(Set(object.keys)) { $0.union(keys(of: $1)) }
    }
}
