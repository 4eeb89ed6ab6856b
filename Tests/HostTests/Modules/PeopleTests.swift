import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct PeopleTests {
    private func root() throws -> ScratchRoot {
        let root = try ScratchRoot()
        try root.copyManifest("people")
        return root
    }

    private func host(_ root: ScratchRoot, _ arguments: String...) async throws -> ChildResult {
        try await root.host("run") { child in
            child.arguments.insert(contentsOf: arguments + ["--state", "\(root.path)/state"], at: 1)
        }
    }

    @Test("A person added by a script is listed by the next host and filtered by age")
    func adding() async throws {
        let root = try root()
        #expect(try await host(root, "people").text == "People\n  Nobody yet\n  [add] Add a person\n")
        for (name, age) in [("Ada", "36"), ("Bob", "18")] {
            let added = try await host(
                root, "people/add", "--fill", "name=\(name)", "--fill", "age=\(age)", "--press", "add")
            #expect(added.ending == .code(0), "\(added)")
            #expect(added.text == "Add a person\n✓ Added \(name) - \(age)\n(closed)\n")
        }
        let all = try await host(root, "people")
        #expect(all.text == "People\n  Ada - 36\n  Bob - 18\n  [add] Add a person\n", "\(all)")
        #expect(try await host(root, "people", "olderThan=18").text == "People\n  Ada - 36\n  [add] Add a person\n")
    }

    @Test("The form opened from the list returns to a list with the new person")
    func fromTheList() async throws {
        let result = try await host(
            root(), "people", "--press", "add", "--fill", "name=Ada", "--fill", "age=36", "--press", "add")
        #expect(result.text == "People\n✓ Added Ada - 36\n  Ada - 36\n  [add] Add a person\n", "\(result)")
    }

    @Test("An invalid form shows the error of each field, keeps the input, and adds no person")
    func invalidForm() async throws {
        let root = try root()
        let result = try await host(root, "people/add", "--fill", "age=old", "--press", "add")
        #expect(
            result.text == """
                Add a person
                  Name *   []  ! must not be empty
                  Age *    [old]  ! must be a whole number
                  [add] Add
                  [cancel] Cancel

                """)
        #expect(try await host(root, "people").text.contains("Nobody yet"))
    }

    @Test("A session asks for each field once, also after a validation error")
    func filledOnce() async throws {
        let root = try root()
        let input = try root.folder.write("add\nfill\nAda\n36\nadd\n", to: "input")
        let result = try await root.host("run", "-i", "people/add") { child in
            child.arguments += ["--state", "\(root.path)/state"]
            child.input = input
        }
        #expect(result.ending == .code(0))
        #expect(result.errors == "")
        #expect(result.text.contains("  Name *   []  ! must not be empty\n  Age *    []  ! must not be empty\n"))
        #expect(result.text.contains("\nAdd a person\n  Name *   [Ada]\n  Age *    [36]\n"), "\(result)")
        #expect(try await host(root, "people").text.contains("  Ada - 36\n"))
    }

    @Test("Opening a route writes nothing")
    func opening() async throws {
        let root = try root()
        for route in ["people", "people/add"] { #expect(try await host(root, route).ending == .code(0)) }
        #expect(!FileManager.default.fileExists(atPath: "\(root.path)/state/data/people.json"))
    }

    @Test("Retrying after a damaged file is removed reads the people again")
    func retry() async throws {
        let root = try root()
        try root.folder.write("[", to: "root/state/data/people.json")
        let session = try root.terminal("run", "-i", "people", environment: ["NO_COLOR": "1"]) { child in
            child.arguments += ["--state", "\(root.path)/state"]
        }
        let damaged = try await session.wait(for: "> ")
        #expect(damaged.contains("! Cannot read the people\n") && damaged.contains("[retry] Retry\n"), "\(damaged)")
        try FileManager.default.removeItem(atPath: "\(root.path)/state/data/people.json")
        try session.type("retry\n")
        #expect(try await session.wait(for: "> ").contains("People\n  Nobody yet\n"))
        try session.type("\u{4}")
        #expect(try await session.end().ending == .code(0))
    }

    @Test("A damaged file shows an alert with its position and stays unchanged")
    func damaged() async throws {
        let root = try root()
        try root.folder.write("[{\"id\": \"1\", \"name\": \"Ada\"}]", to: "root/state/data/people.json")
        let result = try await host(root, "people")
        #expect(result.ending == .code(0))
        #expect(result.text.contains("! Cannot read the people\n"), "\(result)")
        #expect(result.text.contains("people.json:1:2"), "\(result)")
        let file = try String(contentsOfFile: "\(root.path)/state/data/people.json", encoding: .utf8)
        #expect(file == "[{\"id\": \"1\", \"name\": \"Ada\"}]")
    }
}
