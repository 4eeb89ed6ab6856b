import Foundation
import HostDriver
import TestSupport
import Testing

@Suite(.fewAtOnce)
struct TodoTests {
    private let root: ScratchRoot
    private let server: TestServer

    init() async throws {
        (root, server) = (try ScratchRoot(), try await TestServer("todos"))
        for module in ["todo", "http-client"] { try root.copyManifest(module) }
    }

    private static let list =
        """
        Todos
          [ ] delectus aut autem  [done] Done
          [x] quis ut nam facilis  [reopen] Reopen
          [refresh] Refresh
          [settings] Settings

        """

    private func run(_ baseURL: String, _ route: [String] = ["todos"], _ events: String...) async throws -> ChildResult
    {
        let result = try await root.host("run") { child in
            child.arguments.insert(contentsOf: route + ["--set", "todo.baseURL=\(baseURL)"] + events, at: 1)
        }
        #expect(result.ending == .code(0), "\(result)")
        #expect(result.errors == "")
        return result
    }

    @Test("The todos are shown, also from a slow server, and a selected row shows one todo")
    func shown() async throws {
        #expect(try await run(server.url).text == Self.list)
        #expect(try await run(server.url + "/slow").text == Self.list)
        #expect(
            try await run(server.url + "/empty").text
                == "Todos\n  Nothing to do\n  [refresh] Refresh\n  [settings] Settings\n")
        let one = """
            Todos
              Number   1
              Title    delectus aut autem
              Done     no
              User     1
              [close] Close

            """
        #expect(try await run(server.url, ["todos"], "--select", "1").text == one)
        #expect(try await run(server.url, ["todo", "id=1"]).text == one)
    }

    @Test("A row's action changes the todo on the server, and the list shows it")
    func completion() async throws {
        let shown = try await run(server.url, ["todos"], "--act", "1=done").text
        #expect(
            shown.hasPrefix("Todos\n✓ Done: delectus aut autem\n  [x] delectus aut autem  [reopen] Reopen\n"),
            "\(shown)")
        #expect(server.requests.last == #"PATCH /todos/1 {"completed":true}"#)
        let failed = try await run(server.url, ["todos"], "--act", "2=reopen").text
        #expect(failed.hasPrefix("Todos\n! Cannot change the todo\n  cannot PATCH \""), "\(failed)")
        #expect(failed.contains("  [x] quis ut nam facilis  [reopen] Reopen\n"), "\(failed)")
    }

    @Test("A retry after a server error shows the todos")
    func retry() async throws {
        let failed = try await run(server.url + "/once-failing").text
        #expect(
            failed == """
                Todos
                ! Cannot get the todos
                  cannot GET "\(server.url)/once-failing/todos": the server responded with status 503
                    response  come back later
                  [retry] Retry
                  [settings] Settings

                """)
        let other = try await TestServer("todos")
        #expect(try await run(other.url + "/once-failing", ["todos"], "--press", "retry").text == Self.list)
        #expect(other.requests == ["GET /once-failing/todos", "GET /once-failing/todos"])
    }

    @Test("An invalid response shows an alert, and control characters do not reach the terminal")
    func garbage() async throws {
        let garbage = try await run(server.url + "/garbage").text
        #expect(garbage.contains("! Cannot get the todos\n") && garbage.contains("todos:1:1"), "\(garbage)")
        let hostile = try await run(server.url + "/hostile").text
        #expect(!hostile.contains("\u{1B}") && hostile.contains("root"), "\(hostile)")
        let missing = try await run(server.url, ["todo", "id=99"]).text
        #expect(missing.contains("the server responded with status 404\n    response  no such page\n"), "\(missing)")
        #expect(missing.hasSuffix("  [retry] Retry\n  [close] Close\n"), "\(missing)")
    }

    @Test(
        "An unreachable server is reported with a fix",
        arguments: ["http://127.0.0.1:1", "http://127.0.0.1:1/"])
    func unreachableServer(_ baseURL: String) async throws {
        let text = try await run(baseURL).text
        #expect(
            text.contains("  cannot GET \"http://127.0.0.1:1/todos\": no connection\n    libcurl says  "), "\(text)")
        let fix = "check host and port, and that the server is running"
        #expect(text.hasSuffix("\n    fix: \(fix)\n  [retry] Retry\n  [settings] Settings\n"), "\(text)")
    }

    @Test(
        "An invalid base URL is refused with an example of a valid one",
        arguments: ["", "nonsense", "ftp://127.0.0.1", "http://127.0.0.1:1?s3cret", "http://127.0.0.1:1/#s3cret"])
    func invalidBaseURL(_ baseURL: String) async throws {
        let result = try await root.host("run", "todos", "--set", "todo.baseURL=\(baseURL)")
        #expect(result.ending == .code(70))
        #expect(result.text == "")
        #expect(result.errors.contains(": cannot use base URL \""), "\(result)")
        #expect(result.errors.contains("write one such as http://example.org/api"), "\(result)")
        #expect(!result.errors.contains("s3cret"), "\(result)")
    }

    @Test("An https server needs a trusted certificate, and its redirect to http is refused", .hangLimit)
    func secure() async throws {
        let secure = try await TestServer("todos", isSecure: true)
        let trusting = ["SSL_CERT_FILE": TestServer.certificate]
        func ask(_ environment: [String: String], _ path: String = "") async throws -> ChildResult {
            try await root.host("run", "todos", "--set", "todo.baseURL=\(secure.url)\(path)", environment: environment)
        }
        #expect(try await ask(trusting).text == Self.list)
        let unknown = try await ask([:]).text
        #expect(
            unknown.contains("cannot GET \"\(secure.url)/todos\": the server's certificate cannot be verified\n"),
            "\(unknown)")
        let port = try #require(server.url.split(separator: ":").last)
        #expect(
            try await ask(trusting, "/to-http/\(port)").text == """
                Todos
                ! Cannot get the todos
                  cannot GET "\(secure.url)/to-http/\(port)/todos": it redirects from https to http, which is not encrypted
                    redirects to  http://127.0.0.1:\(port)/todos
                    fix: make the server redirect to https, or request the http URL if nothing needs to be secret
                  [retry] Retry
                  [settings] Settings

                """)
        #expect(server.requests.isEmpty)
    }

    @Test("A malformed host name is refused before a request is sent")
    func malformedHost() async throws {
        let text = try await run("http://a b").text
        #expect(text.contains("! Cannot get the todos\n  cannot send a request to "), "\(text)")
    }

    @Test("A todo that cannot be opened shows an alert above the list")
    func unopened() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("http-client")
        let manifest = try String(contentsOfFile: "\(Products.repository)/Manifests/todo.json", encoding: .utf8)
        try root.add(
            manifest: manifest.replacing(#""id", "type": "integer""#, with: #""id", "type": "boolean""#),
            as: "todo.json")
        let arguments = ["todos", "--set", "todo.baseURL=\(server.url)", "--select", "1"]
        let result = try await root.host("run") { $0.arguments.insert(contentsOf: arguments, at: 1) }
        #expect(result.ending == .code(0))
        #expect(result.text.hasPrefix("Todos\n! Cannot show the todo\n  cannot open route \"todo\": "), "\(result)")
        #expect(result.text.hasSuffix(Self.list.dropFirst("Todos\n".count)), "\(result)")
        let back = try await root.host("run") { child in
            child.arguments.insert(contentsOf: arguments + ["--press", "dismiss"], at: 1)
        }
        #expect(back.text == Self.list, "\(back)")
    }

    @Test("Without an HTTP client the module is refused with the missing service, and others work")
    func noClient() async throws {
        let root = try ScratchRoot()
        try root.copyManifest("todo")
        #expect(try await root.host("run", "list").text == RunTests.list)
        let result = try await root.host("run", "todos")
        #expect(result.ending == .code(78))
        #expect(result.errors.contains("http-client"), "\(result)")
    }

    @Test("A user sees the loader, and then the todos without further input")
    func slow() async throws {
        let session = try root.terminal(
            "run", "-i", "todos", "--set", "todo.baseURL=\(server.url)/slow", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "Loading …")
        let list = try await session.wait(for: "> ")
        let rows = "  1  [ ] delectus aut autem  [done] Done\n  2  [x] quis ut nam facilis  [reopen] Reopen\n"
        #expect(list.hasSuffix("Todos\n\(rows)  3  [refresh] Refresh\n  4  [settings] Settings\n> "), "\(list)")
        try session.type("quit\n")
        #expect(try await session.end().ending == .code(0))
    }

    @Test(
        "A user can leave while a request is running",
        arguments: [("quit\n", 0), ("\u{4}", 0), ("\u{3}", 130), ("\u{1C}", 131)] as [(String, Int32)])
    func impatient(keys: String, code: Int32) async throws {
        let trouble = try await TestServer("trouble")
        let session = try root.terminal(
            "run", "-i", "todos", "--set", "todo.baseURL=\(trouble.url)/slow", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "Loading …")
        try session.type(keys)
        let end = try await session.end()
        #expect(end.ending == .code(code) && !end.shown.contains("Program crashed"), "\(end)")
    }

    @Test("Input that is typed while a screen loads is handled")
    func inputWhileLoading() async throws {
        let session = try root.terminal(
            "run", "-i", "todos", "--set", "todo.baseURL=\(server.url)/slow", environment: ["NO_COLOR": "1"])
        try await session.wait(for: "Loading …")
        try session.type("help\n")
        try await session.wait(for: "IN A SESSION")
        try session.type("quit\n")
        #expect(try await session.end().ending == .code(0))
    }

    @Test("A user can retry, see the todos, open one and go back")
    func session() async throws {
        let session = try root.terminal(
            "run", "-i", "todos", "--set", "todo.baseURL=\(server.url)/once-failing", environment: ["NO_COLOR": "1"])
        let failed = try await session.wait(for: "> ")
        #expect(
            failed.contains(
                "the server responded with status 503\n    response  come back later\n  1  [retry] Retry\n"),
            "\(failed)")
        try session.type("retry\n")
        let list = try await session.wait(for: "> ")
        #expect(list.contains("  1  [ ] delectus aut autem  [done] Done\n"), "\(list)")
        try session.type("1\n")
        let one = try await session.wait(for: "> ")
        #expect(one.contains("the server responded with status 404\n"), "\(one)")
        try session.type("back\n")
        #expect(try await session.wait(for: "> ").contains("  2  [x] quis ut nam facilis  [reopen] Reopen\n"))
        try session.type("quit\n")
        #expect(try await session.end().ending == .code(0))
    }

    @Test("Settings change the open scenes of all clients, and later hosts keep them", .hangLimit)
    func settings() async throws {
        let host = try await ServingHost(root, "--set", "todo.baseURL=\(server.url)")
        let (first, second) = (try host.client(), try host.client())
        _ = try await second.call("subscribe", #"{"to":["screens"]}"#)
        for client in [first, second] {
            #expect(try await client.call("open", #"{"route":"todos"}"#).contains("quis ut nam facilis"))
        }
        func event(_ event: String) async throws -> String {
            try await first.call("event", #"{"scene":1,"event":\#(event)}"#)
        }
        #expect(try await event(#"{"press":"settings"}"#).contains(server.url))
        _ = try await event(#"{"fill":"pageSize","text":"1"}"#)
        #expect(try await event(#"{"press":"save"}"#).contains("1 of 2"))
        let followed = try await second.line(with: "1 of 2")
        #expect(followed.contains(#""method":"screen""#) && !followed.contains("quis ut nam facilis"), "\(followed)")

        _ = try await event(#"{"press":"settings"}"#)
        _ = try await event(#"{"fill":"baseURL","text":"\#(server.url)/empty"}"#)
        _ = try await event(#"{"press":"save"}"#)
        _ = try await second.line(with: "Nothing to do")
        #expect(
            try await run(server.url).text == "Todos\n  Nothing to do\n  [refresh] Refresh\n  [settings] Settings\n")
        // A choice does not outlive the configuration that it replaced.
        #expect(try await run(server.url + "/").text == Self.list)
    }

    @Test("The last list of a serving host is shown without network, and marked as such", .hangLimit)
    func withoutNetwork() async throws {
        var server: TestServer? = try await TestServer("todos")
        let url = try #require(server?.url)
        let host = try await ServingHost(root, "--set", "todo.baseURL=\(url)")
        #expect(try await host.client().call("open", #"{"route":"todos"}"#).contains("delectus"))
        let file = root.folder.path + "/home/.local/state/viper-host/modules/todo/todos.json"
        #expect(await eventually { FileManager.default.fileExists(atPath: file) })
        server = nil
        let later = try await host.client().call("open", #"{"route":"todos"}"#)
        #expect(later.contains("The server cannot be reached. This is the list of 20"), "\(later)")
        host.send(SIGTERM)
        #expect(try await host.end() == .code(0))
        let shown = try await run(url).text
        let time = try #require(shown.firstMatch(of: /list of (\S+)\.\n/)?.1)
        #expect(
            shown
                == Self.list.replacing(
                    "Todos\n", with: "Todos\nThe server cannot be reached. This is the list of \(time).\n"
                )
                .replacing("  [done] Done", with: "")
                .replacing("  [reopen] Reopen", with: ""))
        // Another server has no kept list.
        #expect(try await run("http://127.0.0.1:1").text.contains("! Cannot get the todos\n"))
    }
}
