import Foundation
import HostDriver
import TestSupport
import Testing

@testable import host

// `packages` and `checkoutModules` compile and run new scenes.
extension NewTests {
    @Test("A scene adds its files, a line in the module and a route in the manifest, and changes nothing else")
    func scene() async throws {
        #expect(try await host("new", "TodoList", "--package", "todo").ending == .code(0))
        let before = try content(of: "\(scratch.path)/todo")
        let result = try await host("new", "TodoList", "--scene", "OneItem", "--package", "todo/")
        #expect(
            result.text == """
                Created scene one-item:
                  todo/Sources/TodoList/OneItem/OneItemInteractor.swift
                  todo/Sources/TodoList/OneItem/OneItemPresenter.swift
                  todo/Sources/TodoList/OneItem/OneItemProtocols.swift
                  todo/Sources/TodoList/OneItem/OneItemView.swift
                  todo/Sources/TodoList/OneItem/OneItemWireframe.swift
                  todo/Tests/TodoListTests/OneItemTests.swift
                  todo/Manifests/todo-list.json (route added)
                  todo/Sources/TodoList/TodoListModule.swift (route added)
                Next:
                  swift test --package-path todo
                  host build todo
                  host run todo-list/one-item

                """, "\(result)")
        var after = try content(of: "\(scratch.path)/todo")
        let module = try #require(after["Sources/TodoList/TodoListModule.swift"])
        let line = """
                    registrar.route("todo-list/one-item") { _, request in
                        OneItemWireframe.assemble(navigator: request.navigator)
                    }

            """
        #expect(module.replacing(line, with: "") == before["Sources/TodoList/TodoListModule.swift"])
        #expect(module.contains("register(with registrar: Registrar<TodoListModule>) {\n" + line))
        #expect(
            after["Manifests/todo-list.json"]?.contains(
                """
                  "routes": [
                    { "name": "todo-list", "summary": "Lists items by group" },
                    { "name": "todo-list/one-item", "summary": "Shows One item" }
                  ],

                """) == true)
        after = after.filter { !$0.key.contains("OneItem") && before[$0.key] != $0.value }
        #expect(after.keys.sorted() == ["Manifests/todo-list.json", "Sources/TodoList/TodoListModule.swift"])
        #expect(!(try content(of: "\(scratch.path)/todo").values.contains { $0.contains("NewScene") }))
    }

    @Test(
        "A scene that cannot be added is refused, and nothing is changed",
        arguments: [
            ("TodoList", "Detail", 73, "Manifests/todo-list.json already has the route \"todo-list/detail\""),
            ("TodoList", "List", 73, "Sources/TodoList already has a file ListInteractor.swift"),
            ("TodoList", "detail", 64, "expected letters and digits after a capital letter"),
            ("Todo", "Detail", 69, "has the library \"libTodo.so\""),
            ("Strange", "Detail", 65, "no file in Sources/Strange has \"static func register(with registrar:\""),
        ])
    func refusedScene(module: String, scene: String, code: Int32, cause: String) async throws {
        #expect(try await host("new", "TodoList", "--package", "todo").ending == .code(0))
        #expect(try await host("new", "TodoList", "--scene", "Detail", "--package", "todo").ending == .code(0))
        let strange = ManifestText("strange", library: "libStrange.so", routes: [])
        try scratch.write(strange.text, to: "todo/Manifests/strange.json")
        try scratch.write("enum Strange {}\n", to: "todo/Sources/Strange/Strange.swift")
        let before = try content(of: scratch.path)
        let result = try await host("new", module, "--scene", scene, "--package", "todo")
        #expect(result.ending == .code(code) && result.errors.contains(cause), "\(result)")
        #expect(result.errors.contains("\n  fix: "))
        #expect(try content(of: scratch.path) == before)
    }

    @Test(
        "A route is added to the end of the manifest's list, and the rest of the text stays",
        arguments: [
            (#"{"name": "routes", "routes": []}"#, "{\"name\": \"routes\", \"routes\": [\n    NEW\n  ]}"),
            (
                #"{"routes" : [ {"a": ["]"]} ], "x": 1}"#,
                "{\"routes\" : [\n    {\"a\": [\"]\"]},\n    NEW\n  ], \"x\": 1}"
            ),
            ("{\"routes\": [\n    {\"a\": 1}\n  ]}", "{\"routes\": [\n    {\"a\": 1},\n    NEW\n  ]}"),
            (
                #"{"x": {"routes": [1]}, "y": "\"routes\": [", "routes": [2]}"#,
                #"{"x": {"routes": [1]}, "y": "\"routes\": [", "routes": ["# + "\n    2,\n    NEW\n  ]}"
            ),
            (#"{"name": "a"}"#, nil), (#"{"routes": 1}"#, nil),
        ] as [(String, String?)])
    func routes(text: String, expected: String?) {
        #expect(JSONRoutes.adding("NEW", toManifest: text) == expected)
    }

    @Test("A package whose name ends with Template is a template: its name is replaced in all forms")
    func ownTemplate() async throws {
        #expect(try await host("new", "MyListTemplate", "--package", "mine").ending == .code(0))
        try scratch.write("# Notes of MyListTemplate\n", to: "mine/Resources/notes.md")
        try scratch.write("secret", to: "mine/Sources/MyListTemplate/.hidden")
        try scratch.write("built", to: "mine/.build/MyListTemplate.o")
        let made = try await host("new", "ShoppingList", "--template", "mine", "--package", "made")
        #expect(made.ending == .code(0) && made.text.contains("  host run shopping-list\n"), "\(made)")
        #expect(try await host("new", "ShoppingList", "--list", "--package", "expected").ending == .code(0))
        var expected = try content(of: "\(scratch.path)/expected")
        expected["Resources/notes.md"] = "# Notes of ShoppingList\n"
        // Its README shows how to try out the list.
        expected["README.md"]?.replace("shopping-list --select 0", with: "shopping-list")
        let written = try content(of: "\(scratch.path)/made")
        #expect(Set(written.keys) == Set(expected.keys))
        for (path, text) in expected { #expect(written[path] == text, "\(path)") }
    }

    @Test("A folder that is no template is refused, and nothing is written")
    func noTemplate() async throws {
        #expect(try await host("new", "Basket", "--package", "basket").ending == .code(0))
        #expect(try await host("new", "PictureTemplate", "--package", "picture").ending == .code(0))
        try Data([0x89, 0x50, 0xFF]).write(to: URL(filePath: "\(scratch.path)/picture/Resources/picture.png"))
        try scratch.write("{}", to: "empty/Manifests/no.json")
        for (folder, cause) in [
            ("empty", "its folder Manifests has 0 manifests, expected one"),
            ("missing", "its folder Manifests has 0 manifests, expected one"),
            ("basket", "its manifest has the name \"basket\" and the library \"libBasket.so\""),
            ("picture", "it is not a readable file of UTF-8 text"),
        ] {
            let result = try await host("new", "ShoppingList", "--template", folder, "--package", "made")
            #expect(result.ending == .code(65) && result.errors.contains(cause), "\(result)")
            #expect(try content(of: "\(scratch.path)/made").isEmpty)
        }
    }

    @Test("A template with a pipe, a device or a huge file is refused, and a scene is added beside them")
    func hostileFolders() async throws {
        for name in ["Pipe", "Device", "Huge", "Cycle", "Plain"] {
            let folder = name.lowercased()
            #expect(try await host("new", "\(name)Template", "--package", folder).ending == .code(0))
            let file = "\(scratch.path)/\(folder)/Sources/\(name)Template/Aaa.swift"
            switch name {
            case "Pipe": #expect(mkfifo(file, 0o644) == 0)
            case "Device": try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/zero")
            case "Huge": try Data(count: 17 << 20).write(to: URL(filePath: file))
            case "Cycle": try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "..")
            default: break
            }
            let made = try await host("new", "Made\(name)", "--template", folder, "--package", "made-\(folder)")
            let isRead = ["Cycle", "Plain"].contains(name)
            #expect(made.ending == .code(isRead ? 0 : 65), "\(name): \(made)")
            if !isRead { #expect(made.errors.contains("Aaa.swift\": it is not a readable file"), "\(made)") }
            // A scene is added to a package whatever else is in its folder.
            let scene = try await host("new", "\(name)Template", "--scene", "Extra", "--package", folder)
            #expect(scene.ending == .code(0), "\(name): \(scene)")
        }
    }

    @Test(
        "Options that exclude each other are refused",
        arguments: [
            ["--template", "a", "--list"], ["--scene", "A", "--form"], ["--scene", "A", "--template", "a"],
            ["--guard", "--front-end"], ["--contract", "--package", "a"],
        ])
    func excluded(options: [String]) async throws {
        let result = try await ChildProcess(Products.host, ["new", "TodoList"] + options).run()
        #expect(result.ending == .code(64) && result.errors.contains("it cannot be combined with --"), "\(result)")
    }
}
