import Foundation
import HostDriver
import TestSupport
import Testing

@testable import host

@Suite(.fewAtOnce)
struct NewTests {
    let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    func host(_ arguments: String...) async throws -> ChildResult {
        var child = ChildProcess(Products.host, arguments)
        child.workingFolder = scratch.path
        return try await child.run()
    }

    /// Returns all paths in a folder with the contents of files, or an empty dictionary if the folder is missing.
    func content(of folder: String) throws -> [String: String] {
        let files = FileManager.default
        guard files.fileExists(atPath: folder) else { return [:] }
        let paths = try files.subpathsOfDirectory(atPath: folder)
        return paths.reduce(into: [:]) { $0[$1] = try? String(contentsOfFile: "\(folder)/\($1)", encoding: .utf8) }
    }

    /// Creates the part of a checkout that `host new` reads and writes.
    func checkout() throws -> String {
        let checkout = "\(scratch.path)/checkout"
        for folder in ["Plugins", "Tests", "Sources"] {
            try FileManager.default.createDirectory(
                atPath: "\(checkout)/\(folder)", withIntermediateDirectories: true)
        }
        for item in ["Package.swift", ".swift-format", "Manifests", "Plugins/People", "Tests/PeopleTests"] {
            try FileManager.default.copyItem(atPath: "\(Products.repository)/\(item)", toPath: "\(checkout)/\(item)")
        }
        return checkout
    }

    @Test("Each kind of package compiles without warnings, passes its tests and is formatted", .long)
    func packages() async throws {
        // Two packages of the same kind have types with the same names.
        let kinds = [
            ("TodoList", "--list"), ("Papers", "--list"), ("AddEntry", "--form"), ("KeepInMemory", "--service"),
            ("WatchFiles", "--running"), ("ShowPages", "--front-end"), ("CloseDoors", "--guard"),
        ]
        for (name, kind) in kinds {
            let result = try await host("new", name, kind, "--package", name)
            #expect(result.ending == .code(0), "\(result)")
            #expect(result.errors == "")
            #expect(result.text.hasPrefix("Created module "))
        }
        // A list of routes with a route, and an empty one.
        for (name, scene) in [("TodoList", "Detail"), ("WatchFiles", "LastChange"), ("TodoList", "Archive")] {
            let result = try await host("new", name, "--scene", scene, "--package", name)
            #expect(result.ending == .code(0) && result.errors == "", "\(result)")
        }
        let lint = try await ChildProcess("swift", ["format", "lint", "--strict", "--recursive", scratch.path]).run()
        #expect(lint.ending == .code(0), "\(lint)")
        let modules = kinds.map { GeneratedModule($0.0, in: "\(scratch.path)/\($0.0)") }
        let tests = try await GeneratedModule.test(modules, in: scratch.path)
        #expect(tests.ending == .code(0), "\(tests)")
        #expect((tests.text + tests.errors).contains("with 52 tests in 24 suites passed"), "\(tests)")
    }

    @Test(
        "Each kind becomes a module of the checkout with one line in Package.swift; lists, forms and services work",
        .long)
    func checkoutModules() async throws {
        let checkout = try checkout()
        let before = try String(contentsOfFile: "\(checkout)/Package.swift", encoding: .utf8)
        for (name, kind) in [
            ("TodoList", "--list"), ("Papers", "--list"), ("AddEntry", "--form"), ("Keep", "--service"),
            ("Watch", "--running"), ("Pages", "--front-end"), ("Doors", "--guard"),
        ] {
            let result = try await host("new", name, kind, "--root", checkout)
            #expect(result.ending == .code(0), "\(result)")
        }
        let after = try String(contentsOfFile: "\(checkout)/Package.swift", encoding: .utf8)
        let added = after.split(separator: "\n").filter { !before.contains($0) }
        let names = ["AddEntry", "Doors", "Keep", "Pages", "Papers", "TodoList", "Watch"]
        #expect(added == names.map { "        \"\($0)\"," })
        let dump = try await ChildProcess("swift", ["package", "dump-package", "--package-path", checkout]).run()
        #expect(dump.ending == .code(0), "\(dump)")
        let scene = try await host("new", "Papers", "--scene", "OnePaper", "--root", checkout)
        #expect(scene.ending == .code(0), "\(scene)")
        for name in names { #expect(dump.text.contains("\"name\" : \"\(name)Tests\""), "\(name)") }
        // The other kinds have the same sources in a package, which the test above compiles.
        for name in ["AddEntry", "Keep", "Papers", "TodoList"] {
            let built = try await host("build", "\(checkout)/Plugins/\(name)", "--root", checkout)
            #expect(built.ending == .code(0), "\(built)")
        }
        let lint = try await ChildProcess("swift", ["format", "lint", "--strict", "--recursive", checkout]).run()
        #expect(lint.ending == .code(0), "\(lint)")
        try await expectRuns(in: checkout)
    }

    /// Checks two lists with the same type names in one process, and a form that stores its input.
    private func expectRuns(in checkout: String) async throws {
        let list = try await host("run", "todo-list", "--select", "0", "--root", checkout)
        #expect(
            list.text == """
                Todo list
                Read: ListInteractor.swift reads this list from Resources/items.json.
                First
                  Read
                  Change
                Then
                  Test
                  [close] Close

                """, "\(list)")
        try FileManager.default.copyItem(
            atPath: try await Self.launcher.compiled(), toPath: "\(checkout)/Plugins/libLauncher.so")
        try scratch.write(
            ManifestText("launcher", library: "libLauncher.so", routes: ["launcher"]).text,
            to: "checkout/Manifests/launcher.json")
        let both = ["--press", "todo-list", "--select", "0", "--press", "close", "--press", "papers", "--select", "1"]
        let other = try await ChildProcess(Products.host, ["run", "launcher", "--root", checkout] + both).run()
        #expect(other.text.hasPrefix("Papers\nChange: ListPresenter.swift formats"), "\(other)")
        let scene = try await host("run", "papers/one-paper", "--root", checkout)
        #expect(scene.text.hasPrefix("One paper\n  OnePaperInteractor.swift returns"), "\(scene)")
        let words = ["run", "add-entry", "--fill", "name=Tea", "--fill", "amount=2", "--press", "add"]
        let added = try await ChildProcess(
            Products.host, words + ["--use", "data-provider=keep", "--root", checkout]
        ).run()
        #expect(added.text == "Add entry\nAdded 2 × Tea\n(closed)\n", "\(added)")
        #expect(added.errors == "")
    }

    /// A module that opens the route with the name of the pressed action.
    private static let launcher = ModuleFixture(
        "Launcher",
        """
        import ViperKit

        @c(viper_entry_v1_Launcher)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Launcher.self) }

        final class Launcher: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Launcher>) {
                registrar.route("launcher") { _, request in LauncherView(navigator: request.navigator) }
            }
        }

        final class LauncherView: View {
            private(set) var screen = Screen(title: "Launcher")
            private let navigator: any Navigator

            init(navigator: any Navigator) {
                self.navigator = navigator
                screen.actions = ["todo-list", "papers"].map { Action(id: $0, title: $0) }
            }

            func handle(_ event: Event) async {
                guard case .press(let route) = event else { return }
                do { try await navigator.open(route, as: .push) } catch { screen.text = error.summary }
            }
        }
        """)

    @Test("If a file exists already, nothing is written")
    func overwriting() async throws {
        try scratch.write("mine", to: "folder/Tests/TodoListTests/ListSceneTests.swift")
        let before = try content(of: scratch.path)
        let result = try await host("new", "TodoList", "--package", "folder")
        #expect(result.ending == .code(73))
        let cause = "it already exists\n  fix: choose another name, or move the existing file\n"
        #expect(
            result.errors == "host: cannot write file \"folder/Tests/TodoListTests/ListSceneTests.swift\": \(cause)")
        #expect(try content(of: scratch.path) == before)
    }

    @Test(
        "A checkout refuses a name that it already uses",
        arguments: ["People", "PeopleTests", "CompanyList", "Kept", "List", "Person", "Sqlite", "Server"])
    func taken(name: String) async throws {
        let checkout = try checkout()
        try scratch.write("", to: "checkout/Manifests/kept.json")
        try scratch.write("", to: "checkout/Tests/ServerTests/Server.swift")
        let before = try content(of: checkout)
        let result = try await host("new", name, "--root", checkout)
        #expect(result.ending == .code(name == "PeopleTests" ? 64 : 73), "\(result)")
        #expect(result.errors.contains("\n  fix: "))
        #expect(try content(of: checkout) == before)
    }

    @Test("Of two concurrent commands with the same name, exactly one succeeds")
    func atOnce() async throws {
        async let first = host("new", "TodoList", "--package", "folder")
        async let second = host("new", "TodoList", "--package", "folder")
        let endings = try await [first.ending, second.ending]
        #expect(endings.contains(.code(0)), "\(endings)")
        #expect(endings.count { $0 == .code(0) } == 1, "\(endings)")
        #expect(try content(of: "\(scratch.path)/folder").count > 10)
    }

    @Test("Eight concurrent commands add eight lines to Package.swift")
    func linesAtOnce() async throws {
        let checkout = try checkout()
        let names = ["Apples", "Beans", "Cherries", "Dates", "Eggs", "Figs", "Grapes", "Honey"]
        let endings = try await withThrowingTaskGroup { group in
            for name in names { group.addTask { try await host("new", name, "--root", checkout).ending } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(endings == names.map { _ in .code(0) })
        let package = try String(contentsOfFile: "\(checkout)/Package.swift", encoding: .utf8)
        for name in names { #expect(package.contains("        \"\(name)\",\n"), "\(name)") }
    }

    @Test("Files that were written before a failure are removed")
    func halfWay() async throws {
        // A folder cannot be created where a file exists. The sources are written first.
        try scratch.write("a file", to: "folder/Tests")
        let before = try content(of: scratch.path)
        let result = try await host("new", "TodoList", "--package", "folder")
        #expect(result.ending == .code(74), "\(result)")
        #expect(
            result.errors.hasPrefix("host: cannot create folder \"./folder/Tests/TodoListTests\": Not a directory\n"),
            "\(result)")
        #expect(try content(of: scratch.path) == before)
    }

    @Test("A folder that cannot be written is an error")
    func readOnly() async throws {
        // A file system that is read-only even for root.
        let result = try await host("new", "TodoList", "--package", "/proc/module")
        #expect(result.ending == .code(74))
        #expect(result.errors.hasPrefix("host: cannot create folder \"/proc/module\": "), "\(result)")
    }

    @Test("Outside a checkout, or without ViperKit's package, the error says what to do")
    func elsewhere() async throws {
        let root = try ScratchRoot()
        let noCheckout = try await root.host("new", "TodoList")
        #expect(noCheckout.ending == .code(66))
        #expect(noCheckout.errors.contains("fix: write host new TodoList --package DIR"), "\(noCheckout)")
        let bare = try await BareHost().run(["new", "TodoList", "--package", "\(scratch.path)/folder"])
        #expect(bare.ending == .code(66))
        #expect(bare.errors.contains("contains Sources/ViperKit/Package.swift"), "\(bare)")
        #expect(try content(of: scratch.path).isEmpty)
    }

    @Test("A checkout path with quotation marks and a line break is valid in Package.swift")
    func strangePath() async throws {
        let path = "/a \"b\"\\(c)\n\u{85}d"
        let package = PackageTemplate(name: try ModuleName("TodoList"), checkout: path).package
        try scratch.write(package, to: "Package.swift")
        let arguments = ["package", "dump-package", "--package-path", scratch.path]
        let dump = try await ChildProcess("swift", arguments).run()
        #expect(dump.text.contains(#""a \"b\"\\(c)\n"#.dropFirst()), "\(dump)")
    }

    @Test("--package and --root cannot be combined")
    func packageInRoot() async throws {
        let result = try await host("new", "TodoList", "--package", "folder", "--root", scratch.path)
        #expect(result.ending == .code(64))
        #expect(result.errors.contains("it cannot be combined with --package\n"), "\(result)")
        #expect(try content(of: scratch.path).isEmpty)
    }

    @Test("Two kinds at once are a usage error")
    func twoKinds() async throws {
        let result = try await host("new", "TodoList", "--list", "--form", "--package", "folder")
        #expect(result.ending == .code(64))
        #expect(result.errors.contains("it cannot be combined with --list"), "\(result)")
    }
}
