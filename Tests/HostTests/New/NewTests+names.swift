import Foundation
import HostDriver
import Testing

@testable import host

extension NewTests {
    @Test(
        "An invalid module name is refused with a valid suggestion, and nothing is written",
        arguments: [
            ("todo-list", "TodoList"), ("todoList", "TodoList"), ("todo list", "TodoList"), ("1st", "St"),
            ("", "ShoppingList"), ("Ärger", "ShoppingList"), ("../Up", "Up"), ("A/B", "AB"), ("Any", "AnyList"),
            ("String", "StringList"), ("View", "ViewList"), ("ListView", "ListViewList"), ("Testing", "TestingList"),
            ("ViperKit", "ViperKitList"), ("Host", "HostList"), ("Foundation", "FoundationList"),
            ("FooTests", "Foo"), ("class", "Class"), (String(repeating: "A", count: 41), "ShoppingList"),
            ("A\u{1B}[31m", "A31m"), ("Tests", "ShoppingList"), ("-", "ShoppingList"),
            ("Registrar", "RegistrarList"),
        ])
    func badNames(name: String, suggestion: String) async throws {
        let result = try await host("new", "--package", "folder", "--", name)
        #expect(result.ending == .code(64))
        #expect(result.errors.hasPrefix("host: cannot use module name \""), "\(result)")
        #expect(result.errors.hasSuffix("\n  fix: write host new \(suggestion)\n"), "\(result)")
        #expect(!result.errors.contains("\u{1B}"))
        #expect(try content(of: scratch.path).isEmpty)
    }

    @Test("Suggested names are accepted")
    func suggestion() async throws {
        for name in ["AnyList", "St", "A31m"] {
            #expect(try await host("new", name, "--package", name).ending == .code(0), "\(name)")
        }
    }

    @Test("A package with the name of a target in the checkout is refused with a suggestion")
    func takenTargets() async throws {
        struct Package: Decodable {
            struct Target: Decodable { var name: String }
            var targets: [Target]
        }
        let dump = try await ChildProcess("swift", ["package", "dump-package", "--package-path", checkout()]).run()
        let targets = try JSONDecoder().decode(Package.self, from: Data(dump.text.utf8)).targets.map(\.name)
        #expect(targets.contains("People") && targets.contains("HostTests"), "\(dump)")
        for target in targets {
            let name = target.hasSuffix("Tests") ? String(target.dropLast("Tests".count)) : target
            let result = try await host("new", name, "--package", "folder")
            #expect(result.ending == .code(64), "\(name): \(result)")
        }
        #expect(try content(of: "\(scratch.path)/folder").isEmpty)
        let result = try await host("new", "People", "--package", "folder")
        #expect(
            result.errors == """
                host: cannot create package "People": the checkout that it depends on contains Plugins/People, and \
                SwiftPM requires unique target names
                  fix: write host new PeopleList --package DIR

                """)
        #expect(try await host("new", "PeopleList", "--package", "folder").ending == .code(0))
    }

    @Test("A folder name that confuses SwiftPM is refused, and one with shell characters is quoted")
    func folderNames() async throws {
        let checkout = URL(filePath: Products.repository).lastPathComponent.uppercased()
        for name in ["viperkit", checkout] {
            let result = try await host("new", "TodoList", "--package", "sub/\(name)/")
            #expect(result.ending == .code(64))
            #expect(result.errors.contains("a package that it depends on has the same folder name\n"), "\(result)")
        }
        #expect(try content(of: scratch.path).isEmpty)
        let spaced = try await host("new", "TodoList", "--package", "it's mine/")
        #expect(spaced.text.contains("\n  host build 'it'\\''s mine'\n"), "\(spaced)")
        #expect(spaced.text.contains("\n  it's mine/Package.swift\n"), "\(spaced)")
    }
}
