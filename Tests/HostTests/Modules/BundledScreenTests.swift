import Foundation
import HostDriver
import TestSupport
import Testing

/// The screens of all bundled modules as JSON. `Manifests/screen.schema.json` describes what clients may rely on.
@Suite(.fewAtOnce)
struct BundledScreenTests {
    /// The routes and events that show all kinds of screens, by the name of the screen.
    private static let screens: [String: [String]] = [
        "menu": ["launcher"], "list": ["list"], "search": ["list/search", "--fill", "search=ber"],
        "search-nothing": ["list/search", "--fill", "search=none"], "chart": ["list/chart"],
        "person": ["person", "id=58f9a19680685a4e1e6d5016"], "person-missing": ["person", "id=nobody"],
        "people": ["people"], "people-long": ["people"], "add": ["people/add", "--press", "add"],
        "added": ["people", "--press", "add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add"],
        "notes": ["notes"], "note": ["notes/edit", "--fill", "day=x"],
        "written": ["notes", "--press", "write", "--fill", "title=Tea", "--fill", "day=2026-11-25", "--press", "save"],
        "login": ["login", "--press", "login"], "home": ["home"], "todos": ["todos"],
        "todos-more": ["todos", "--set", "todo.pageSize=1"], "todos-done": ["todos", "--act", "1=done"],
        "todo-missing": ["todo", "id=99"], "todo": ["todo", "id=1"],
        "settings": ["todos/settings", "--fill", "pageSize=x", "--press", "save"],
        "alert": ["alert", "title=Sure?", "message=Really?", "destructive=true"],
        "details": ["details", "title=Ada", "labels=Age", "values=36", "values=Tea", "actions=remove"],
    ]

    @Test("The screens of all bundled modules conform to the schema", .hangLimit)
    func schema() async throws {
        let (folder, server) = (try ScratchFolder(), try await TestServer("todos"))
        let people = (0..<45).map { #"{"id": "\#($0)", "name": "Ada", "age": \#($0)}"# }
        try folder.write("[\(people.joined(separator: ","))]", to: "people-long/data/people.json")
        var files: [String] = []
        for (name, arguments) in Self.screens {
            let settings = ["--set", "todo.baseURL=\(server.url)", "--state", "\(folder.path)/\(name)"]
            let child = ChildProcess(
                Products.host,
                ["run", arguments[0]] + settings + arguments.dropFirst()
                    + ["--format", "json", "--root", Products.repository])
            let result = try await child.run()
            #expect(result.ending == .code(0) && result.errors == "", "\(name): \(result)")
            files.append(try folder.write(result.text, to: "\(name).json"))
        }
        let schema = "\(Products.repository)/Manifests/screen.schema.json"
        let verdicts = try await SchemaJudge.verdicts(schema, on: files)
        #expect(verdicts.count == Self.screens.count)
        for (name, verdict) in verdicts { #expect(verdict == nil, "\(name)") }
    }
}
