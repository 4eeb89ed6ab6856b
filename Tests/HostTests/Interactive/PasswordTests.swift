import Foundation
import Glibc
import HostDriver
import TestSupport
import Testing

/// Password fields at a terminal: the input stays hidden, and the terminal's state is restored.
@Suite(.fewAtOnce, .hangLimit)
struct PasswordTests {
    private static let secret = "s3cret 名"

    private func root() async throws -> ScratchRoot {
        let root = try ScratchRoot()
        try await root.add(.gate, .gate)
        return root
    }

    /// Returns a session that asks for the password, and its output so far.
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

    @Test("A password is typed without echo and shown as a fixed number of dots")
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

    @Test("A password whose field disappears during input is not shown")
    func removedField() async throws {
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

    @Test("A password in a visible line is refused")
    func visible() async throws {
        let root = try await root()
        let session = try root.terminal("run", "-i", "gate", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "> ")
        try session.type("fill password=\(Self.secret)\n")
        let shown = try await session.wait(for: "write fill password, then enter the value at the prompt")
        #expect(shown.contains("cannot parse \"the line\": a password must not be typed visibly"))
    }

    @Test("An empty line keeps the current password")
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
        "Leaving during password input restores the terminal",
        arguments: [("\u{4}", 0), ("s3c\u{4}\u{4}", 0), ("\u{3}", 130), ("s3c\u{1A}\u{1C}\u{3}", 130)]
            as [(String, Int32)])
    func interrupted(keys: String, code: Int32) async throws {
        let (session, _) = try await asked(root())
        // Ctrl-Z and Ctrl-\ are ignored, because the shell would get a terminal without echo.
        try session.type(keys)
        let (actual, shown) = try await session.end()
        #expect(actual == .code(code), "\(shown)")
        #expect(session.isEchoing)
        #expect(shown.hasSuffix("\n") && !shown.contains("s3c"), "\(shown)")
    }

    @Test("A signal during password input restores the terminal", arguments: [SIGTERM, SIGHUP])
    func signal(number: Int32) async throws {
        let (session, _) = try await asked(root())
        session.send(number)
        #expect(try await session.end().ending == .code(128 + number))
        #expect(session.isEchoing)
    }

    @Test("A second Ctrl-C restores the terminal while a module blocks the host")
    func blocked() async throws {
        let root = try await root()
        let pipe = root.folder.path + "/pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        let (session, _) = try await asked(root, environment: ["GATE": pipe])
        close(open(pipe, O_WRONLY | O_CLOEXEC))
        // Signals that arrive at the same time count as one.
        let isEchoing = try await eventually {
            if !session.isEchoing { try session.type("\u{3}") }
            return session.isEchoing
        }
        #expect(isEchoing)
        // The loop may have sent only one signal. The host exits at the second one.
        try? session.type("\u{3}")
        #expect(try await session.end().ending == .code(130))
    }

    @Test("A failed write of the output restores the terminal")
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

    @Test("If the output is redirected, there is no prompt and no echo", arguments: ["text", "json"])
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

    @Test("A script can give a password in a dialog or in a line, and no output contains it")
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

    @Test("No output contains a password from the command line, even if the line is invalid")
    func commandLine() async throws {
        let root = try await root()
        let fill = "password=\(Self.secret)"
        let lines: [([String], Int32)] = [
            (["run", "gate", "--fill", fill], 0), (["run", "gate", "--fill", fill, "--format", "json"], 0),
            (["run", "gate", "--fill", fill, "--press", "entre"], 64), (["run", "list", "--fill", fill], 64),
            (["run", "gate", "--fill", "pass\(fill)"], 64), (["run", "gate", "--fill", "=\(Self.secret)"], 64),
            (["run", "gate", "--fill", Self.secret], 64), (["run", "gate", "--fil=\(fill)"], 64),
            (["run", "gate", "--fil", fill], 64), (["run", "gate", fill], 64), (["run", "gate", fill, fill], 64),
            (["run", "gaet", "--fill", fill], 69), (["run", "--fill", fill], 69), (["rnu", "--fill", fill], 64),
        ]
        for (line, code) in lines {
            let result = try await root.host("--verbose") { $0.arguments += line }
            #expect(result.ending == .code(code), "\(line) \(result)")
            #expect(!"\(result)".contains("s3cret"), "\(line) \(result)")
        }
    }

    @Test(
        "No output contains a password from an invalid line of a session",
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
