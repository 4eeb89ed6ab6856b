import Glibc
import HostDriver
import HostSystem
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Todo

private let list = #"[{"userId": 3, "id": 7, "title": "delectus", "completed": false}]"#
private let one = #"{"userId": 3, "id": 7, "title": "delectus", "completed": false}"#

/// The whole module with a real registry, router and container, and a scripted server.
@MainActor
@Suite(.hangLimit)
struct TodoSceneTests {
    private let state: ScratchFolder

    init() throws { state = try ScratchFolder() }

    private func host(
        _ client: ScriptedHTTPClient, at baseURL: String = "http://test/api", pageSize: Int = 20
    ) throws -> TestHost {
        try TestHost(TodoModule.self, manifest: "todo.json") { services in
            services.provide(.httpClient, client)
            services.provide(.json, FoundationJSONCoder())
            services.provide(.stateFolder, StateFolder(path: state.path))
            services.provide(
                .configuration, Configuration(["baseURL": .string(baseURL), "pageSize": .integer(pageSize)]))
        }
    }

    @Test("The list opens a todo under the same title, and all objects are freed")
    func listAndDetail() async throws {
        let client = ScriptedHTTPClient([
            "GET /api/todos": [.response(200, list)], "GET /api/todos/7": [.response(200, one)],
        ])
        let scene = try await host(client).open("todos")
        #expect(scene.text == "Todos\n  [ ] delectus  [done] Done\n  [refresh] Refresh\n  [settings] Settings\n")
        try await scene.select("7")
        #expect(
            scene.text == "Todos\n  Number   7\n  Title    delectus\n  Done     no\n  User     3\n  [close] Close\n")
        #expect(scene.steps == ["replace-root todos", "push todo id=7"])
        #expect(client.requests.map(\.url) == ["http://test/api/todos", "http://test/api/todos/7"])
        try await scene.press("close")
        #expect(scene.text == "Todos\n  [ ] delectus  [done] Done\n  [refresh] Refresh\n  [settings] Settings\n")
        await scene.expectDeallocated()
    }

    @Test("A todo is marked as done on the server, and the list shows it")
    func completing() async throws {
        let changed = one.replacing("false", with: "true")
        let client = ScriptedHTTPClient([
            "GET /api/todos": [.response(200, list)], "PATCH /api/todos/7": [.response(200, changed)],
        ])
        let scene = try await host(client).open("todos")
        try await scene.act("done", onRow: "7")
        #expect(
            scene.text == """
                Todos
                ✓ Done: delectus
                  [x] delectus  [reopen] Reopen
                  [refresh] Refresh
                  [settings] Settings

                """)
        await scene.expectDeallocated()
    }

    @Test("A retry after a failure shows the list, and observers see each state")
    func retry() async throws {
        let client = ScriptedHTTPClient(["GET /api/todos": [.failure("no connection"), .response(200, list)]])
        let scene = try await host(client).assemble("todos")
        var screens = scene.screens().makeAsyncIterator()
        #expect(try await screens.next()?.isLoading == true)
        await scene.load()
        #expect(try await screens.next()?.alert?.message == "cannot GET \"http://test/api/todos\": no connection")
        try await scene.press("retry")
        var last: Screen?
        while last?.sections.isEmpty != false { last = try await screens.next() }
        #expect(last?.sections.first?.rows.map(\.title) == ["delectus"])
        await scene.expectDeallocated()
    }

    @Test(
        "A response that is not a list of todos shows an alert with its position",
        arguments: [
            "", "<html>", "{}", "[1]", "[{}]", #"[{"userId": 1, "id": "7", "title": "x", "completed": false}]"#,
        ])
    func garbage(_ body: String) async throws {
        let client = ScriptedHTTPClient(["GET /api/todos": [.response(200, body)]])
        let scene = try await host(client).open("todos")
        #expect(scene.screen.alert?.title == "Cannot get the todos")
        #expect(scene.screen.alert?.message?.contains("todos:1:") == true, "\(scene.text)")
        #expect(scene.screen.alert?.actions.map(\.id) == ["retry"])
    }

    @Test("An empty list and an error status show a message")
    func emptyAndStatus() async throws {
        let client = ScriptedHTTPClient(["GET /api/todos": [.response(200, " [] "), .response(500, "oops")]])
        #expect(
            try await host(client).open("todos").text
                == "Todos\n  Nothing to do\n  [refresh] Refresh\n  [settings] Settings\n")
        let message = try await host(client).open("todos").screen.alert?.message
        #expect(
            message == "cannot GET \"http://test/api/todos\": the server responded with status 500\n  response  oops")
    }

    @Test(
        "An invalid base URL in the configuration refuses the module, without revealing its secrets",
        arguments: ["", "test", "ftp://test", "http:", "http://", "http://u:secret@test?secret", "http://test/#secret"])
    func invalidBaseURL(url: String) async throws {
        let host = try host(ScriptedHTTPClient([:]), at: url)
        let error = await #expect(throws: ViperError.self) { try await host.open("todos") }
        #expect(error?.description.contains("cannot use base URL") == true, "\(error as Any)")
        #expect(error?.description.contains("secret") == false)
    }

    @Test("An open list is read again when the user of its window changes, and not when another one does")
    func otherUser() async throws {
        let (changes, tell) = AsyncStream.makeStream(of: String.self)
        let client = ScriptedHTTPClient([
            "GET /api/todos": [.response(200, list), .response(200, "[]"), .failure("asked too often")]
        ])
        let host = try TestHost(TodoModule.self, manifest: "todo.json") { services in
            services.provide(.httpClient, client)
            services.provide(.json, FoundationJSONCoder())
            services.provide(.stateFolder, StateFolder(path: state.path))
            services.provide(
                .configuration, Configuration(["baseURL": .string("http://test/api"), "pageSize": .integer(20)]))
            services.provide(ServiceKey<SessionChanges>("session-changes")) { changes }
        }
        let scene = try await host.open("todos")
        #expect(scene.text == "Todos\n  [ ] delectus  [done] Done\n  [refresh] Refresh\n  [settings] Settings\n")
        var screens = scene.screens().makeAsyncIterator()
        for identity in ["other", ""] { tell.yield(identity) }
        var last: Screen?
        while last?.emptyText == nil { last = try await screens.next() }
        #expect(client.requests.count == 2)
        await scene.expectDeallocated()
    }

    @Test("A service of the session that exists but cannot be used refuses the module")
    func unusableSession() async throws {
        let host = try TestHost(TodoModule.self, manifest: "todo.json") { services in
            services.provide(.httpClient, ScriptedHTTPClient([:]))
            services.provide(.json, FoundationJSONCoder())
            services.provide(.stateFolder, StateFolder(path: state.path))
            services.provide(.configuration, Configuration(["baseURL": .string("http://x"), "pageSize": .integer(1)]))
            services.provide(ServiceKey<String>("session"), "of another type")
        }
        let error = await #expect(throws: ViperError.self) { try await host.open("todos") }
        #expect(error?.description.contains("session") == true, "\(error as Any)")
    }

    @Test("Settings change all open scenes of the module, and later hosts keep them")
    func settings() async throws {
        let todos = #"[\#(one), {"userId": 3, "id": 8, "title": "quis", "completed": true}]"#
        let client = ScriptedHTTPClient([
            "GET /api/todos": [.response(200, todos)], "GET /other/todos": [.response(200, list)],
        ])
        let host = try host(client)
        let (scene, other) = (try await host.open("todos"), try await host.open("todos"))
        try await scene.press("settings")
        #expect(
            scene.text == """
                Settings
                  Server *            [http://test/api]
                  The address without /todos
                  Todos on a page *   [20]
                  [save] Save
                  [cancel] Cancel

                """)
        try await scene.fill("pageSize", "1")
        try await scene.press("save")
        let page = """
            Todos
              [ ] delectus  [done] Done
              [more] More todos  1 of 2
              [refresh] Refresh
              [settings] Settings

            """
        #expect(scene.text == page.replacing("Todos\n  [ ]", with: "Todos\n✓ Saved the settings\n  [ ]"))
        #expect(await eventually { other.text == page })
        try await other.press("more")
        #expect(other.screen.sections.flatMap(\.rows).map(\.isChecked) == [false, true])

        try await scene.press("settings")
        try await scene.fill("baseURL", "http://test/other")
        try await scene.press("save")
        let single = "Todos\n  [ ] delectus  [done] Done\n  [refresh] Refresh\n  [settings] Settings\n"
        #expect(await eventually { scene.text.hasSuffix(single.dropFirst(6)) && other.text == single })
        #expect(try await self.host(client).open("todos").text == single)
        #expect(client.requests.map(\.url).filter { $0.hasSuffix("other/todos") }.count == 3)
        await scene.expectDeallocated()
        await other.expectDeallocated()
    }

    @Test("Invalid settings show errors and change nothing, and the form does not show a password")
    func invalidSettings() async throws {
        let client = ScriptedHTTPClient(["GET /api/todos": [.response(200, list)]])
        let host = try host(client, at: "http://u:s3cret@test/api")
        let scene = try await host.open("todos")
        try await scene.press("settings")
        #expect(scene.text.contains("Server *            [http://test/api]\n"), "\(scene.text)")
        try await scene.fill("baseURL", "ftp://x")
        try await scene.fill("pageSize", "1001")
        try await scene.press("save")
        #expect(
            scene.screen.form?.fields.map(\.error) == [
                "it does not begin with http:// or https://", "must be between 1 and 1000",
            ])
        try await scene.fill("baseURL", "http://test/api")
        try await scene.fill("pageSize", "3")
        try await scene.press("save")
        #expect(scene.screen.title == "Todos")
        try await host.open("todos").close()
        #expect(client.requests.map(\.url) == Array(repeating: "http://u:s3cret@test/api/todos", count: 2))
        await scene.expectDeallocated()
    }

    @Test("A running module keeps the last list, which is shown without network")
    func keptList() async throws {
        let client = ScriptedHTTPClient(["GET /api/todos": [.response(200, list), .failure("no connection")]])
        let host = try host(client)
        let running = Task { try await host.run() }
        let scene = try await host.open("todos")
        #expect(scene.screen.text == nil)
        let file = state.path + "/todos.json"
        #expect(await eventually { access(file, F_OK) == 0 })
        running.cancel()
        try await running.value
        let later = try await self.host(client).open("todos")
        let kept = /Todos\nThe server cannot be reached\. This is the list of [-0-9]{10}T[:0-9]{8}Z\.\n/
        #expect(try kept.prefixMatch(in: later.text) != nil, "\(later.text)")
        #expect(
            later.text.hasSuffix(
                "\n  [ ] delectus\n  [refresh] Refresh\n  [settings] Settings\n"
            ))
        await later.expectDeallocated()
    }
}
