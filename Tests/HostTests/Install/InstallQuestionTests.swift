import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// The question before a change of an installed module, and the change that follows.
@Suite(.fewAtOnce, .hangLimit)
struct InstallQuestionTests {
    private let fixture: InstallFixture
    private var root: ScratchRoot { fixture.root }

    init() throws { fixture = try InstallFixture() }

    private func host(_ arguments: String...) async throws -> ChildResult {
        try await root.host(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
    }

    private func terminal(_ arguments: String...) throws -> TerminalSession {
        try root.terminal(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
    }

    @Test("Of two modules with one route that are installed at the same time, the second one is refused")
    func contested() async throws {
        let keeper = ManifestText("keeper", library: "libKeeper.so", routes: ["version"])
        let libraries = [
            try await fixture.packed("1"),
            try await fixture.packed(
                ModuleFixture(
                    "Keeper",
                    """
                    import ViperKit

                    @c(viper_entry_v1_Keeper)
                    public func entry() -> UnsafeRawPointer { ModuleEntry.export(Keeper.self) }

                    final class Keeper: Module {
                        init(services: any ServiceResolver) {}
                        static func register(with registrar: Registrar<Keeper>) {
                            registrar.route("version") { _, _ in KeeperView() }
                        }
                    }

                    final class KeeperView: View { let screen = Screen(title: "Keeper") }
                    """), keeper),
        ]
        // Both commands have decided, and ask.
        let commands = try libraries.map { try terminal("install", $0) }
        for command in commands { try await command.wait(for: "Install it? [y/N] ") }
        try commands[0].type("y\n")
        let first = try await commands[0].end()
        #expect(first.ending == .code(0), "\(first)")
        try commands[1].type("y\n")
        let second = try await commands[1].end()
        #expect(second.ending == .code(78), "\(second)")
        #expect(second.shown.contains(#"module "version" already declares its route "version""#), "\(second)")
        #expect(try await fixture.title() == "1")
    }

    @Test(
        "A command asks again if the modules have changed since it asked", arguments: ["install", "rollback", "remove"])
    func again(command: String) async throws {
        let libraries = try await [fixture.packed("1"), fixture.packed("2"), fixture.packed("3")]
        for library in libraries.prefix(2) { #expect(try await host("install", library, "--yes").ending == .code(0)) }
        let words = command == "install" ? [command, libraries[0]] : [command, "version"]
        let terminal = try root.terminal(environment: fixture.state) { $0.arguments = words + $0.arguments }
        let shown = try await terminal.wait(for: " it? [y/N] ")
        #expect(shown.contains(command == "remove" ? "version 2.0.0 -> removed" : "version 2.0.0 -> 1.0.0"), "\(shown)")
        #expect(try await host("install", libraries[2], "--yes").ending == .code(0))
        try terminal.type("y\n")
        let later = try await terminal.wait(for: " it? [y/N] ")
        let changes = [
            "install": "version 3.0.0 -> 1.0.0", "rollback": "version 3.0.0 -> 2.0.0",
            "remove": "version 3.0.0 -> removed",
        ]
        #expect(later.contains(try #require(changes[command])), "\(later)")
        #expect(try await fixture.title() == "3")
        try terminal.type("y\n")
        #expect(try await terminal.end().ending == .code(0))
        #expect(try await fixture.title() == ["install": "1", "rollback": "2"][command])
    }

    @Test("A rollback to a version that other commands have removed since the question fails, and says so")
    func pruned() async throws {
        for version in 1...3 {
            #expect(try await host("install", try await fixture.packed("\(version)"), "--yes").ending == .code(0))
        }
        let terminal = try terminal("rollback", "version", "1.0.0")
        try await terminal.wait(for: "version 3.0.0 -> 1.0.0")
        for version in 4...6 {
            #expect(try await host("install", try await fixture.packed("\(version)"), "--yes").ending == .code(0))
        }
        try terminal.type("y\n")
        let end = try await terminal.end()
        #expect(end.ending == .code(66) && end.shown.contains("Plugins/.versions has no version 1.0.0"), "\(end)")
        #expect(try await fixture.title() == "6")
    }

    @Test("No code of the library runs before the answer, and the installed file is the one that was shown")
    func codeRunsLater() async throws {
        let mark = "\(root.folder.path)/mark"
        var module = ModuleFixture.version("1")
        module.cSource = """
            #include <fcntl.h>
            #include <unistd.h>
            __attribute__((constructor)) static void run(void) { close(open("\(mark)", O_CREAT | O_WRONLY, 0600)); }
            """
        let library = try await fixture.packed(module, .version())
        let digest = try await fixture.digest(of: library)
        let refused = try terminal("install", library)
        #expect(try await refused.wait(for: "Install it? [y/N] ").contains("SHA-256 \(digest)\nversion 1.0.0 (new)\n"))
        #expect(!FileManager.default.fileExists(atPath: mark))
        try refused.type("n\n")
        #expect(try await refused.end().shown.contains("Nothing has changed."))
        #expect(!FileManager.default.fileExists(atPath: mark))
        let accepted = try terminal("install", library)
        try await accepted.wait(for: "Install it? [y/N] ")
        // The file changes after it was shown.
        try Data(contentsOf: URL(filePath: try await fixture.packed("2"))).write(to: URL(filePath: library))
        try accepted.type("y\n")
        #expect(try await accepted.end().ending == .code(0))
        #expect(FileManager.default.fileExists(atPath: mark))
        #expect(try await fixture.digest(of: fixture.installed) == digest)
    }

    @Test("A file or folder that others can write to needs the digest")
    func exposed() async throws {
        let library = try await fixture.packed("1")
        let folder = (library as NSString).deletingLastPathComponent
        let digest = try await fixture.digest(of: library)
        for (path, mode, usual) in [(library, 0o666, 0o644), (folder, 0o777, 0o755)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let exposed = try await host("install", library, "--yes")
            #expect(exposed.ending == .code(78), "\(exposed)")
            #expect(exposed.errors.contains("every user can change \(path)"), "\(exposed)")
            #expect(exposed.errors.contains("give --sha256"), "\(exposed)")
            let other = try await host("install", library, "--yes", "--sha256", String(repeating: "0", count: 64))
            #expect(
                other.ending == .code(78) && other.errors.contains("its SHA-256 is \(digest), expected 000"), "\(other)"
            )
            #expect(try await fixture.title() == nil)
            let named = try await host("install", library, "--yes", "--sha256", digest)
            #expect(named.ending == .code(0), "\(named)")
            #expect(try await host("remove", "version", "--yes").ending == .code(0))
            try FileManager.default.setAttributes([.posixPermissions: usual], ofItemAtPath: path)
        }
        let invalid = try await host("install", library, "--yes", "--sha256", "abc")
        #expect(invalid.ending == .code(64) && invalid.errors.contains("expected 64 digits"), "\(invalid)")
    }

    @Test("The owner of the file is shown, and --yes needs the digest then", .needs(.strangers))
    func owner() async throws {
        let library = try await fixture.packed("1")
        #expect(Glibc.chown(library, 65533, 65533) == 0)
        let silent = try await host("install", library, "--yes")
        #expect(silent.ending == .code(78), "\(silent)")
        #expect(silent.errors.contains("user 65533, who is not trusted, owns it"), "\(silent)")
        let terminal = try terminal("install", library)
        let shown = try await terminal.wait(for: "Install it? [y/N] ")
        #expect(shown.contains("\nowner uid 65533, who is not trusted\nversion 1.0.0 (new)\n"), "\(shown)")
        try terminal.type("y\n")
        #expect(try await terminal.end().ending == .code(0))
        #expect(try await fixture.title() == "1")
    }

    @Test("A file that is no library, or too large for one, is not copied")
    func large() async throws {
        let image = try root.folder.write("image", to: "image.so")
        let library = try await fixture.packed("1")
        for (file, cause) in [(image, "it contains no manifest"), (library, "more than the limit of 536870912")] {
            #expect(truncate(file, 3 << 30) == 0)
            // No file can grow.
            let full = "(ulimit -f 0; trap '' XFSZ; exec \"$0\" \"$@\") 2>&1 | cat"
            let result = try await root.host(
                ["install", file, "--yes"], under: ["/bin/bash", "-c", full], environment: fixture.state)
            #expect(result.text.contains(cause), "\(result)")
        }
    }

    @Test("disable and remove name the modules that lose a service, a contract or a guard")
    func losses() async throws {
        let keeper = ManifestText("keeper", library: "libKeeper.so", routes: [])
        var keeping = keeper
        keeping.provides = ["word"]
        #expect(try await host("install", try await fixture.packed(.keeper("w"), keeping), "--yes").ending == .code(0))
        try root.add(.teller())
        var maybe = ManifestText.teller(optional: true)
        (maybe.name, maybe.library, maybe.routes) = ("maybe", "libMaybe.so", ["maybe", "secret/deep"])
        try root.add(maybe)
        var guarding = ManifestText("login", library: "libLogin.so", routes: [])
        guarding.provides = ["route-guard"]
        try root.add(guarding)
        try root.add(
            manifest:
                #"{"name":"greeter-api","version":"1.0.0","library":"libGreeterAPI.so","sdk":"1.0","kind":"contract"}"#,
            as: "greeter-api.json")
        try root.add(
            manifest:
                #"{"name":"user","version":"1.0.0","library":"libUser.so","sdk":"1.0","contracts":{"greeter-api":"1.0"}}"#,
            as: "user.json")
        try root.folder.write(#"{ "guards": { "login": ["secret/*"] } }"#, to: "root/host.json")
        let service = """
            ! maybe: no other module provides its optional service "word"
            ! teller can no longer be used: it requires the service "word", which no module provides

            """
        for (arguments, lines) in [
            (["disable", "keeper"], service), (["remove", "keeper"], service),
            (["disable", "login"], "! maybe: nobody can open secret/deep without the guard \"login\"\n"),
            (
                ["disable", "greeter-api"],
                "! user can no longer be used: it uses the contract \"greeter-api\", which is not installed\n"
            ),
        ] {
            let terminal = try root.terminal(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
            let shown = try await terminal.wait(for: " it? [y/N] ")
            #expect(shown.contains(lines), "\(shown)")
            try terminal.type("n\n")
            #expect(try await terminal.end().shown.contains("Nothing has changed."))
            if arguments[0] == "remove" { continue }
            let silent = try await root.host(environment: fixture.state) { $0.arguments = arguments + $0.arguments }
            #expect(silent.ending == .code(64) && silent.errors.contains("give --yes"), "\(silent)")
        }
        let done = try await host("remove", "keeper", "--yes")
        #expect(done.ending == .code(0) && done.text.contains(service), "\(done)")
        // Nobody has lost anything more.
        #expect(try await host("disable", "teller").ending == .code(0))
    }
}
