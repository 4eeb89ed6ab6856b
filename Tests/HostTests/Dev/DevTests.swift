import Foundation
import HostDriver
import TestSupport
import Testing

/// `host dev` at a terminal, which builds and shows the module after each save.
@Suite(.fewAtOnce, .hangLimit)
struct DevTests {
    private let root: ScratchRoot
    private let state: [String: String]
    private var source: String { "\(root.folder.path)/Hello" }

    init() throws {
        root = try ScratchRoot()
        state = ["XDG_STATE_HOME": "\(root.folder.path)/state", "TERM": "dumb"]
    }

    private static let manifest = ManifestText("hello", library: "libHello.so", routes: ["hello"]).text
    private static let waiting = "waiting for the next save"

    private static func code(_ title: String, making: String = "") -> String {
        """
        import Glibc
        import ViperKit

        @c(viper_entry_v1_Hello)
        public func entry() -> UnsafeRawPointer { ModuleEntry.export(Hello.self) }

        final class Hello: Module {
            init(services: any ServiceResolver) {}
            static func register(with registrar: Registrar<Hello>) {
                registrar.route("hello") { _, _ in HelloView() }
            }
        }

        final class HelloView: View {
            private(set) var screen = Screen(title: "\(title)")
            init() {
                \(making)
                screen.actions = [Action(id: "go", title: "Go")]
            }
            func handle(_ event: Event) async { screen.text = "gone" }
        }

        """
    }

    private func save(_ title: String, making: String = "") throws {
        try root.folder.write(Self.code(title, making: making), to: "Hello/Sub/Hello.swift")
    }

    private func develop(_ arguments: String..., environment: [String: String] = [:]) throws -> TerminalSession {
        try root.terminal("dev", source, "hello", environment: state.merging(environment) { $1 }) {
            $0.arguments += arguments
        }
    }

    /// Waits for the build that shows a text. A file that is written before the first scan may cause one more build.
    private func build(_ session: TerminalSession, showing text: String) async throws -> String {
        while true {
            let shown = try await session.wait(for: Self.waiting)
            if shown.contains(text) { return shown }
        }
    }

    /// Ends a session with Ctrl-C.
    private func leave(_ session: TerminalSession, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try session.type("\u{3}")
        let (ending, shown) = try await session.end()
        #expect(ending == .code(130), sourceLocation: sourceLocation)
        #expect(!shown.contains("host:"), "\(shown)", sourceLocation: sourceLocation)
    }

    /// Checks that the process whose id follows `process` in the output has exited.
    private func expectGone(_ shown: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let number = try #require(shown.firstMatch(of: /process (\d+)/)?.1).description
        #expect(kill(try #require(pid_t(number)), 0) != 0, sourceLocation: sourceLocation)
    }

    @Test("host dev builds the module and shows its screen after each save, until Ctrl-C")
    func saves() async throws {
        try save(#"First in process \(getpid())"#)
        try root.folder.write(Self.manifest, to: "Hello/hello.json")
        let session = try develop("--press", "go")
        let first = try await session.wait(for: Self.waiting)
        #expect(first.hasPrefix("Built hello 1.0.0 as Plugins/libHello.so"), "\(first)")
        #expect(first.contains("\ngone\n  [go] Go\n"), "\(first)")
        try expectGone(first)
        try save("Second")
        let second = try await build(session, showing: "Second")
        #expect(second.contains("\nSecond\ngone\n") && !second.contains("First"), "\(second)")
        try FileManager.default.createDirectory(atPath: "\(source)/More", withIntermediateDirectories: false)
        try await session.wait(for: Self.waiting)
        try root.folder.write("let third: Int = \"\"\n", to: "Hello/More/Third.swift")
        try await session.wait(for: "/More/Third.swift:1:18: error")
        try root.folder.write("let third = 3\n", to: "Hello/More/Third.swift")
        try await session.wait(for: "Second\r\n")
        try await session.wait(for: Self.waiting)
        try root.folder.write(Self.manifest.replacing("1.0.0", with: "1.1.0"), to: "Hello/hello.json")
        try await session.wait(for: "Built hello 1.1.0")
        try await session.wait(for: Self.waiting)
        try await leave(session)
        let files = FileManager.default
        let left = try files.contentsOfDirectory(atPath: root.temporary)
        #expect(left == [])
        #expect(try files.contentsOfDirectory(atPath: root.path).sorted() == ["Manifests", "Plugins"])
    }

    @Test("A compile error shows the compiler's message, and the next save fixes it")
    func compileError() async throws {
        try save("First")
        try root.folder.write(Self.manifest, to: "Hello/hello.json")
        let session = try develop()
        try await session.wait(for: Self.waiting)
        try root.folder.write("let number: Int = \"text\"\n", to: "Hello/Wrong.swift")
        let wrong = try await build(session, showing: "error:")
        #expect(wrong.contains("/Hello/Wrong.swift:1:19: error: cannot convert value"), "\(wrong)")
        #expect(wrong.contains("host: cannot build \"\(source)\": swiftc reported errors\n"), "\(wrong)")
        try FileManager.default.removeItem(atPath: "\(source)/Wrong.swift")
        _ = try await build(session, showing: "\nFirst\n")
        // An invalid manifest and a missing source folder do not end the session.
        try root.folder.write("{", to: "Hello/hello.json")
        _ = try await build(session, showing: "cannot use manifest")
        try FileManager.default.moveItem(atPath: source, toPath: source + "-away")
        try await session.wait(for: "the folder does not exist")
        try root.folder.write(Self.manifest, to: "Hello-away/hello.json")
        try FileManager.default.moveItem(atPath: source + "-away", toPath: source)
        try await session.wait(for: "First\r\n")
        try save("Second")
        try await session.wait(for: "Second\r\n")
        try await session.wait(for: Self.waiting)
        try await leave(session)
    }

    @Test("A crash is reported with signal and position, and a failed initialiser with its error")
    func crash() async throws {
        try save("First", making: "UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1")
        try root.folder.write(Self.manifest, to: "Hello/hello.json")
        let session = try develop()
        let crash = try await session.wait(for: Self.waiting)
        #expect(crash.contains("its worker was terminated by signal 11 (Segmentation fault)"), "\(crash)")
        #expect(!crash.contains("***"), "\(crash)")
        #expect(crash.contains(/at +.+ in 1-libHello\.so at Hello\.swift:17:/), "\(crash)")
        try save("Second")
        _ = try await build(session, showing: "\nSecond\n")
        // The screen of the previous build is not shown again.
        let third = Self.code("Third").replacing("ServiceResolver) {}", with: "ServiceResolver) throws { throw No() }")
        try root.folder.write(third + "struct No: Error {}\n", to: "Hello/Sub/Hello.swift")
        let refused = try await build(session, showing: "cannot create module \"hello\": it threw No()")
        #expect(!refused.contains("Second"), "\(refused)")
        try await leave(session)
    }

    @Test("Ctrl-C ends the session and the module's process while the module hangs")
    func hanging() async throws {
        let telling = #"let text = "hangs in process \(getpid())\n"; write(2, text, text.utf8.count)"#
        try save("First", making: "\(telling); while true { usleep(5000) }")
        try root.folder.write(Self.manifest, to: "Hello/hello.json")
        let session = try develop()
        let shown = try await session.wait(for: "hangs in process ") + session.wait(for: "\r\n")
        try session.type("\u{3}")
        let (ending, rest) = try await session.end()
        #expect(ending == .code(130), "\(rest)")
        #expect(!rest.contains("host:") && !rest.contains("waiting"), "\(rest)")
        try expectGone(shown)
    }

    @Test("Build products and an editor's temporary files start no build, even if the source is the root")
    func falseAlarms() async throws {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
        let builds = "\(root.folder.path)/builds"
        try await root.folder.write(
            program: "#!/bin/sh\necho \"$*\" >> \(builds)\nPATH=\(path)\nexec swiftc \"$@\"\n", to: "bin/swiftc")
        try root.folder.write(Self.code("First"), to: "root/Hello.swift")
        try root.folder.write(Self.manifest, to: "root/hello.json")
        try root.add(manifest: Self.manifest, as: "hello.json")
        let session = try root.terminal(
            "dev", root.path, "hello",
            environment: state.merging(["PATH": "\(root.folder.path)/bin:\(path)"]) { $1 })
        try await session.wait(for: "First\r\n")
        try await session.wait(for: Self.waiting)
        for title in ["Second", "Third", "Fourth"] {
            try root.folder.write("", to: "root/4913")
            try FileManager.default.removeItem(atPath: "\(root.path)/4913")
            // One rename, because a host that sees half of a save builds once more.
            let saved = try root.folder.write(Self.code(title), to: "Hello.swift")
            try #require(rename(saved, "\(root.path)/Hello.swift") == 0)
            try await session.wait(for: "\(title)\r\n")
            try await session.wait(for: Self.waiting)
        }
        try await leave(session)
        // One per save, and possibly one more for files that were written before the first scan.
        let commands = try String(contentsOfFile: builds, encoding: .utf8).split(separator: "\n")
        #expect((4...5).contains(commands.count), "\(commands)")
        // The last build stays in the root.
        #expect(commands.allSatisfy { $0.contains(" -O ") }, "\(commands)")
    }

    @Test("A provider can be developed with another module's route, and its manifest in the root is watched")
    func elsewhere() async throws {
        try await root.add(.teller, .teller())
        let keeper = ModuleFixture.keeper("first").source
        try root.folder.write(keeper, to: "Keeper/Keeper.swift")
        try root.add(.keeper)
        let session = try root.terminal("dev", "\(root.folder.path)/Keeper", "teller", environment: state)
        try await session.wait(for: "first\r\n")
        try await session.wait(for: Self.waiting)
        try root.folder.write(keeper.replacing("first", with: "second"), to: "Keeper/Keeper.swift")
        try await session.wait(for: "second\r\n")
        try await session.wait(for: Self.waiting)
        try root.add(manifest: ManifestText.keeper.text.replacing("1.0.0", with: "1.1.0"), as: "keeper.json")
        try await session.wait(for: "Built keeper 1.1.0")
        try await session.wait(for: "second\r\n")
        try await session.wait(for: Self.waiting)
        try await leave(session)
    }

    @Test("A missing folder is an error")
    func missing() async throws {
        let result = try await root.host("dev", source, "hello", environment: state)
        #expect(result.ending == .code(66) && result.text == "")
        #expect(
            result.errors == """
                host: cannot build "\(source)": the folder does not exist
                  fix: give a package, or a folder with Swift files and a manifest

                """)
    }
}
