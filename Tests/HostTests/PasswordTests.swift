import Foundation
import Glibc
import TestSupport
import Testing

/// What is typed into a password field is shown to nobody, and the terminal is afterwards as it was before.
@Suite(.fewAtOnce, .hangLimit)
struct PasswordTests {
    private static let secret = "s3cret 名"

    private func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.gate, .gate)
        return root
    }

    /// A session that asks for the password, and all that it has shown until then.
    private func asked(_ root: ScratchRoot, environment: [String: String] = [:]) async throws -> (
        session: TerminalSession, shown: String
    ) {
        let session = try root.terminal(
            "run", "-i", "gate", environment: ["NO_COLOR": "1"].merging(environment) { $1 })
        var shown = try await session.wait(for: "> ")
        #expect(session.isEchoing)
        try session.type("fill\n")
        shown += try await session.wait(for: "User []: ")
        #expect(session.isEchoing)
        try session.type("ada\n")
        shown += try await session.wait(for: "Password []: ")
        #expect(!session.isEchoing)
        return (session, shown)
    }

    @Test("a password is typed unseen, and shows as dots whose number is always the same")
    func typing() async throws {
        var (session, shown) = try await asked(root())
        try session.type("ab\n")
        shown += try await session.wait(for: "Password [••••••••]: ")
        #expect(shown.hasSuffix("Password []: \nPassword: is too short\nPassword [••••••••]: "), "\(shown)")
        #expect(!session.isEchoing)
        try session.type(Self.secret + "\n")
        shown += try await session.wait(for: "> ")
        #expect(shown.hasSuffix("  User       [ada]\n  Password   [••••••••]\n  1  [enter] Enter\n> "), "\(shown)")
        #expect(session.isEchoing)
        try session.type("enter\n")
        shown += try await session.wait(for: "> ")
        #expect(shown.contains("ada, 8 characters\n  User       [ada]\n  Password   []\n"), "\(shown)")
        try session.type("quit\n")
        let (ending, rest) = try await session.end()
        #expect(ending == .code(0) && session.isEchoing)
        #expect(!(shown + rest).contains("s3cret") && !(shown + rest).contains("ab\n"))
    }

    @Test("a password whose field goes away while it is typed is shown to nobody")
    func gone() async throws {
        let root = try await root()
        let pipe = root.folder.path + "/gone"
        #expect(mkfifo(pipe, 0o600) == 0)
        let (session, _) = try await asked(root, environment: ["GONE": pipe])
        close(open(pipe, O_WRONLY | O_CLOEXEC))
        try #require(await eventually { FileManager.default.fileExists(atPath: pipe + ".done") })
        try session.type(Self.secret + "\n")
        let shown = try await session.wait(for: "> ")
        #expect(shown.contains("Gate\n") && !shown.contains("s3cret"), "\(shown)")
        #expect(session.isEchoing)
    }

    @Test("a password that is typed where it shows is refused")
    func visible() async throws {
        let root = try await root()
        let session = try root.terminal("run", "-i", "gate", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "> ")
        try session.type("fill password=\(Self.secret)\n")
        let shown = try await session.wait(for: "write fill password, and you are asked for it")
        #expect(shown.contains("cannot understand \"the line\": a password is not typed where it shows"))
    }

    @Test("an empty line leaves the password that is there")
    func leaving() async throws {
        let (session, _) = try await asked(root())
        try session.type(Self.secret + "\n")
        try await session.wait(for: "> ")
        try session.type("fill password\n")
        try await session.wait(for: "Password [••••••••]: ")
        try session.type("\n")
        try await session.wait(for: "> ")
        #expect(session.isEchoing)
        try session.type("1\n")
        #expect(try await session.wait(for: "> ").contains("ada, 8 characters"))
    }

    @Test(
        "whoever leaves in the middle of a password finds the terminal as it was",
        arguments: [("\u{4}", 0), ("s3c\u{4}\u{4}", 0), ("\u{3}", 130), ("s3c\u{1A}\u{1C}\u{3}", 130)]
            as [(String, Int32)])
    func interrupted(keys: String, code: Int32) async throws {
        let (session, _) = try await asked(root())
        // Ctrl-Z and Ctrl-\ do nothing: they would leave the terminal to the shell without echo.
        try session.type(keys)
        let (actual, shown) = try await session.end()
        #expect(actual == .code(code), "\(shown)")
        #expect(session.isEchoing)
        #expect(shown.hasSuffix("\n") && !shown.contains("s3c"), "\(shown)")
    }

    @Test("signals leave the terminal as it was", arguments: [SIGTERM, SIGHUP])
    func signal(number: Int32) async throws {
        let (session, _) = try await asked(root())
        session.send(number)
        #expect(try await session.end().ending == .code(128 + number))
        #expect(session.isEchoing)
    }

    @Test("the second Ctrl-C leaves the terminal as it was, though a module blocks the host")
    func blocked() async throws {
        let root = try await root()
        let pipe = root.folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let (session, _) = try await asked(root, environment: ["GATE": pipe])
        close(open(pipe, O_WRONLY | O_CLOEXEC))
        // Signals that come in one moment are one.
        let isEchoing = try await eventually {
            if !session.isEchoing { try session.type("\u{3}") }
            return session.isEchoing
        }
        #expect(isEchoing)
        // The first one may have come before the module blocked, and is then the first of two all the same.
        try? session.type("\u{3}")
        #expect(try await session.end().ending == .code(130))
    }

    @Test("output that breaks off leaves the terminal as it was")
    func brokenOutput() async throws {
        let root = try await root()
        let session = try root.terminal("run", "-i", "gate") { child in
            child.arguments = ["-c", "\"$@\" > /dev/full", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        try session.type("fill password\n")
        #expect(try await session.end().ending == .code(74))
        #expect(session.isEchoing)
    }

    @Test("where the output is no terminal there is no prompt, and no echo either", arguments: ["text", "json"])
    func redirected(format: String) async throws {
        let root = try await root()
        let output = root.folder.path + "/output"
        let session = try root.terminal("run", "-i", "gate", "--format", format) { child in
            child.arguments = ["-c", "\"$@\" > \(output)", "sh", child.program] + child.arguments
            child.program = "sh"
        }
        try session.type("fill password\n")
        try await session.wait(for: "fill password")
        try #require(await eventually { !session.isEchoing })
        try session.type(Self.secret + "\nenter\nquit\n")
        let (ending, shown) = try await session.end()
        #expect(ending == .code(0))
        let written = try String(contentsOfFile: output, encoding: .utf8)
        #expect(written.contains(", 8 characters"))
        #expect(!shown.contains("s3cret") && !written.contains("s3cret"))
    }

    @Test("a script gives a password in a pipe, by a dialog or in a line, and it comes back nowhere")
    func script() async throws {
        let root = try await root()
        for lines in ["fill\nada\n\(Self.secret)\n", "fill user=ada\nfill password=\(Self.secret)\n"] {
            for format in ["text", "json"] {
                let result = try await root.host("run", "-i", "gate", "--format", format, "--verbose") { child in
                    child.input = (try? root.folder.write(lines + "enter\n", to: "input")) ?? ""
                }
                #expect(result.ending == .code(0))
                #expect(result.text.contains("ada, 8 characters"), "\(result)")
                #expect(!"\(result)".contains("s3cret"), "\(result)")
            }
        }
    }

    @Test("a password on the command line comes back nowhere, whatever is wrong with the line")
    func commandLine() async throws {
        let root = try await root()
        let fill = "password=\(Self.secret)"
        let lines: [([String], Int32)] = [
            (["run", "gate", "--fill", fill], 0), (["run", "gate", "--fill", fill, "--format", "json"], 0),
            (["run", "gate", "--fill", fill, "--press", "entre"], 64), (["run", "list", "--fill", fill], 64),
            (["run", "gate", "--fill", "pass\(fill)"], 64), (["run", "gate", "--fill", "=\(Self.secret)"], 64),
            (["run", "gate", "--fill", Self.secret], 64), (["run", "gate", "--fil=\(fill)"], 64),
            (["run", "gate", "--fil", fill], 64), (["run", "gate", fill], 64), (["run", "gate", fill, fill], 64),
            (["run", "gaet", "--fill", fill], 69), (["run", "--fill", fill], 64), (["rnu", "--fill", fill], 64),
        ]
        for (line, code) in lines {
            let result = try await root.host("--verbose") { $0.arguments += line }
            #expect(result.ending == .code(code), "\(line) \(result)")
            #expect(!"\(result)".contains("s3cret"), "\(line) \(result)")
        }
    }

    @Test(
        "a password in the wrong line of a session comes back nowhere",
        arguments: [
            "s3cret", "fil password=s3cret", "fill password s3cret", "password=s3cret", "fill pasword=s3cret",
            "quit s3cret",
        ])
    func misplaced(line: String) async throws {
        let root = try await root()
        let result = try await root.host("run", "-i", "gate") { child in
            child.input = (try? root.folder.write(line + "\n", to: "input")) ?? ""
        }
        #expect(result.ending == .code(0))
        #expect(result.errors.hasPrefix("host: cannot ") && !"\(result)".contains("s3cret"), "\(result)")
    }
}
