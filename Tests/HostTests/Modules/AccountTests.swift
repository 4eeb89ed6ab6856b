import Foundation
import HostDriver
import TestSupport
import Testing

/// Logging in with the built host and a real server, over several runs.
@Suite(.fewAtOnce, .hangLimit)
struct AccountTests {
    private static let password = "lovelace"
    private static let token = "t0ken-of-ada"

    private let root: ScratchRoot
    private let server: TestServer
    private var state: String { "\(root.path)/state" }
    private var file: String { "\(state)/modules/account/credentials.json" }

    init() async throws {
        root = try ScratchRoot()
        for module in ["account", "http-client"] { try root.copyManifest(module) }
        server = try await TestServer("login")
    }

    private func options(_ path: String) -> [String] {
        ["--state", state, "--set", "account.baseURL=\(server.url)\(path)", "--verbose"]
    }

    /// Runs the host, and checks that its output contains neither password nor token.
    private func host(_ arguments: String..., at path: String = "") async throws -> ChildResult {
        let result = try await root.host("run") { $0.arguments.insert(contentsOf: arguments + options(path), at: 1) }
        #expect(!"\(result)".contains(Self.password) && !"\(result)".contains(Self.token), "\(result)")
        return result
    }

    private func logIn(as user: String = "ada", by password: String = password, at path: String = "") async throws
        -> ChildResult
    {
        try await host(
            "home", "--fill", "userName=\(user)", "--fill", "password=\(password)", "--press", "login", at: path)
    }

    /// Returns the names and contents of all stored files.
    private func kept() throws -> String {
        let names = try FileManager.default.subpathsOfDirectory(atPath: state)
        let contents = names.compactMap { FileManager.default.contents(atPath: "\(state)/\($0)") }
        return (names + contents.map { String(decoding: $0, as: UTF8.self) }).joined(separator: "\n")
    }

    private static let form = "Log in\n  (VIPER host)\n  User name *   []\n  Password *    []\n  [login] Log in\n"
    private static let home = "Home\nWelcome, ada\n  [logout] Log out\n"

    @Test("Without a configured server a login fails, and the form says how to configure one")
    func unnamed() async throws {
        let root = try ScratchRoot()
        for module in ["account", "http-client"] { try root.copyManifest(module) }
        let result = try await root.host(
            "run", "login", "--fill", "userName=ada", "--fill", "password=lovelace", "--press", "login", "--state",
            root.path + "/state")
        #expect(result.ending == .code(0), "\(result)")
        #expect(result.text.contains("cannot log in as \"ada\": \"baseURL\" is unset\n"), "\(result)")
        #expect(result.text.contains("give --set account.baseURL=URL"), "\(result)")
    }

    @Test("Without a login, home shows the form and sends no request")
    func notLoggedIn() async throws {
        let result = try await host("home")
        #expect(result.ending == .code(0))
        #expect(result.text == Self.form, "\(result)")
        #expect(server.requests.isEmpty && !FileManager.default.fileExists(atPath: file))
    }

    @Test("A login persists across processes until logout")
    func roundTrip() async throws {
        let result = try await logIn()
        #expect(result.ending == .code(0))
        #expect(result.text == Self.home, "\(result)")
        #expect(server.requests == [#"POST /login {"password":"lovelace","userName":"ada"}"#])
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try kept().contains(Self.token) && !kept().contains(Self.password))
        #expect(try await host("home").text == Self.home)
        let json = try await host("home", "--format", "json")
        #expect(json.text.contains("Welcome, ada"), "\(json)")
        #expect(try await host("home", "--press", "logout").text == Self.form)
        #expect(try !kept().contains(Self.token))
        #expect(try await host("home").text == Self.form)
        #expect(server.requests.count == 1)
    }

    @Test(
        "A failed login is reported without the password, and nothing is stored",
        arguments: [
            ("", "the user name or the password is wrong"), ("/forbidden", "the user name or the password is wrong"),
            ("/broken", "the server responded with status 500"), ("/nowhere", "the server responded with status 404"),
            ("/garbage", "the server's response has no token"), ("/untyped", "the server's response has no token"),
            ("/cut", "the response is incomplete"),
        ])
    func refused(path: String, cause: String) async throws {
        let result = try await host(
            "login", "--fill", "userName=eve", "--fill", "password=\(Self.password)", "--press", "login", at: path)
        #expect(result.ending == .code(0))
        #expect(result.text.hasPrefix("Log in\n  (VIPER host)\n! Cannot log in\n"), "\(result)")
        #expect(result.text.contains(": \(cause)\n"), "\(result)")
        #expect(!result.text.contains("\n    response "), "\(result)")
        let form = "  User name *   [eve]\n  Password *    []\n  [login] Log in\n"
        #expect(result.text.hasSuffix("\n  [dismiss] Back to the form\n" + form), "\(result)")
        #expect(server.requests.count == 1 && !FileManager.default.fileExists(atPath: file))
        #expect(try !kept().contains(Self.password))
    }

    @Test(
        "An invalid base URL is refused with an example of a valid one",
        arguments: ["?s3cret", "/#s3cret"])
    func invalidBaseURL(end: String) async throws {
        let result = try await host("login", at: end)
        #expect(result.ending == .code(70))
        #expect(result.errors.contains(": cannot use base URL \""), "\(result)")
        #expect(result.errors.contains("write one such as http://example.org/api"), "\(result)")
        #expect(!result.errors.contains("s3cret"), "\(result)")
        #expect(server.requests.isEmpty)
    }

    @Test("An unreachable server is reported with a fix and without the secrets of its URL")
    func unreachable() async throws {
        let result = try await root.host(
            "run", "login", "--fill", "userName=ada", "--fill", "password=\(Self.password)", "--press", "login",
            "--set", "account.baseURL=http://u:s3cret@127.0.0.1:1", "--state", state)
        #expect(result.ending == .code(0))
        #expect(result.text.contains("no connection"), "\(result)")
        #expect(result.text.contains("    fix: check host and port, and that the server is running\n"), "\(result)")
        #expect(!"\(result)".contains(Self.password) && !"\(result)".contains("s3cret"), "\(result)")
    }

    @Test("A credential readable by others is refused until it is removed, and a login replaces a damaged one")
    func exposed() async throws {
        _ = try await logIn()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        let refused = try await host("home")
        #expect(
            refused.text.contains(
                "other users can access it (mode 644)\n    fix: remove the file, then log in again\n"))
        #expect(refused.text.hasSuffix("  [login] Log in again\n"), "\(refused)")
        func logInAgain() async throws -> String {
            try await host(
                "home", "--press", "login", "--fill", "userName=ada", "--fill", "password=\(Self.password)",
                "--press", "login"
            ).text
        }
        let kept = try await logInAgain()
        #expect(kept.contains("fix: remove the file, then log in again\n"), "\(kept)")
        try FileManager.default.removeItem(atPath: file)
        #expect(try await logIn().text == Self.home)
        #expect(truncate(file, 9) == 0)
        #expect(try await logInAgain() == Self.home)
    }

    @Test("A script can pipe the password, and no JSON screen contains it")
    func piped() async throws {
        let input = try root.folder.write("fill\nada\n\(Self.password)\nlogin\n", to: "input")
        let result = try await root.host("run", "-i", "home", "--format", "json") { child in
            child.arguments += options("")
            child.input = input
        }
        #expect(result.ending == .code(0))
        let screens = result.text.split(separator: "\n")
        #expect(screens.count == 3 && screens.last?.contains("Welcome, ada") == true, "\(result)")
        #expect(!"\(result)".contains(Self.password) && !"\(result)".contains(Self.token))
    }

    @Test("A session asks for each field once, also after a validation error")
    func filledOnce() async throws {
        let input = try root.folder.write("login\nfill\nada\n\(Self.password)\nlogin\n", to: "input")
        let result = try await root.host("run", "-i", "login") { child in
            child.arguments += options("")
            child.input = input
        }
        #expect(result.ending == .code(0))
        #expect(
            result.text.contains("  User name *   []  ! must not be empty\n  Password *    []  ! must not be empty\n"))
        #expect(result.text.contains("  User name *   [ada]\n  Password *    [••••••••]\n"), "\(result)")
        #expect(result.text.hasSuffix("Home\nWelcome, ada\n  1  [logout] Log out\n"), "\(result)")
        #expect(!result.errors.contains("must not be empty"), "\(result)")
        #expect(!"\(result)".contains(Self.password) && !"\(result)".contains(Self.token), "\(result)")
    }

    @Test("A terminal never shows the password, and shows a loader while the server responds")
    func terminal() async throws {
        let session = try root.terminal("run", "-i", "home", environment: ["NO_COLOR": "1"]) { child in
            child.arguments += options("/slow")
        }
        var shown = try await session.wait(for: "> ")
        for password in ["Wr0ng", Self.password] {
            try session.type("fill\n")
            shown += try await session.wait(for: "User name [")
            shown += try await session.wait(for: "]: ")
            try session.type("ada\n")
            shown += try await session.wait(for: "Password []: ")
            #expect(!session.isEchoing)
            try session.type("\(password)\n")
            shown += try await session.wait(for: "> ")
            #expect(session.isEchoing)
            try session.type("login\n")
            shown += try await session.wait(for: "Loading …")
            shown += try await session.wait(for: "> ")
            if password == Self.password { break }
            #expect(shown.contains("  [dismiss] Back to the form\n") && shown.contains("User name *   [ada]\n"))
        }
        #expect(shown.contains("Home\nWelcome, ada\n  1  [logout] Log out\n"), "\(shown)")
        try session.type("quit\n")
        let (ending, rest) = try await session.end()
        #expect(ending == .code(0) && session.isEchoing)
        for secret in ["Wr0ng", Self.password, Self.token] { #expect(!(shown + rest).contains(secret)) }
    }

    @Test("Ctrl-C during a login exits with 130, and no credential is stored")
    func interrupted() async throws {
        let session = try root.terminal("run", "-i", "login") { child in
            child.arguments += options("/never") + ["--fill", "userName=ada"]
        }
        try await session.wait(for: "> ")
        try session.type("fill password\n")
        try await session.wait(for: "Password []: ")
        try session.type(Self.password + "\n")
        try await session.wait(for: "> ")
        try session.type("login\n")
        try await session.wait(for: "Loading …")
        try session.type("\u{3}")
        #expect(try await session.end().ending == .code(130))
        #expect(session.isEchoing && !FileManager.default.fileExists(atPath: file))
    }
}
