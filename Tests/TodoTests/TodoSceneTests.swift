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
    private func host(_ client: ScriptedHTTPClient) throws -> TestHost {
        try TestHost(TodoModule.self, manifest: "todo.json") { services in
            services.provide(.httpClient, client)
            services.provide(.json, FoundationJSONCoder())
            services.provide(.configuration, Configuration(["baseURL": .string("http://test/api")]))
        }
    }

    @Test("The list opens a todo under the same title, and all objects are freed")
    func listAndDetail() async throws {
        let client = ScriptedHTTPClient([
            "GET /api/todos": [.response(200, list)], "GET /api/todos/7": [.response(200, one)],
        ])
        let scene = try await host(client).open("todos")
        #expect(scene.text == "Todos\n  delectus   open\n")
        try await scene.select("7")
        #expect(
            scene.text == "Todos\n  Number   7\n  Title    delectus\n  Done     no\n  User     3\n  [close] Close\n")
        #expect(scene.steps == ["replace-root todos", "push todo id=7"])
        #expect(client.requests.map(\.url) == ["http://test/api/todos", "http://test/api/todos/7"])
        try await scene.press("close")
        #expect(scene.text == "Todos\n  delectus   open\n")
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
        #expect(try await host(client).open("todos").text == "Todos\n  Nothing to do\n")
        let message = try await host(client).open("todos").screen.alert?.message
        #expect(
            message == "cannot GET \"http://test/api/todos\": the server responded with status 500\n  response  oops")
    }
}
