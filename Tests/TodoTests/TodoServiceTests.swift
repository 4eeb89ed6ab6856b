import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import Todo

private let one = #"{"userId": 3, "id": 7, "title": "delectus", "completed": false}"#
private let todo = Todo(id: 7, userId: 3, title: "delectus", completed: false)

struct TodoServiceTests {
    private func service(
        _ client: ScriptedHTTPClient, at url: String = "http://test", session: SessionService? = nil
    ) async -> HTTPTodoService {
        HTTPTodoService(
            client: client, session: session, json: FoundationJSONCoder(),
            environment: await TodoEnvironment(
                configured: TodoSettings(baseURL: url, pageSize: 20), store: FakeTodoStore()), identity: "a")
    }

    @Test(
        "Each call sends one request that accepts JSON, regardless of trailing slashes in the URL",
        arguments: ["http://test", "http://test/", "http://test///"])
    func requests(url: String) async throws {
        let client = ScriptedHTTPClient([
            "GET /todos": [.response(200, "[\(one)]")], "GET /todos/7": [.response(200, one)],
        ])
        let service = await service(client, at: url)
        let source = TodoSource(baseURL: "http://test")
        #expect(try await service.all() == TodoList(source: source, todos: [todo]))
        #expect(try await service.todo(7) == todo)
        #expect(try await service.source() == source)
        #expect(client.requests.map(\.headers) == [["Accept": "application/json"], ["Accept": "application/json"]])
    }

    @Test("A completion is sent as a change of the todo, and the server's todo is returned")
    func completion() async throws {
        let client = ScriptedHTTPClient(["PATCH /todos/7": [.response(200, one), .response(404, "gone")]])
        let service = await service(client)
        #expect(try await service.complete(7, isDone: true) == todo)
        await #expect(throws: ViperError.self) { try await service.complete(7, isDone: false) }
        #expect(
            client.requests.map { String(decoding: $0.body ?? [], as: UTF8.self) } == [
                #"{"completed":true}"#, #"{"completed":false}"#,
            ])
        #expect(client.requests.map { $0.headers["Content-Type"] } == ["application/json", "application/json"])
    }

    @Test("The source does not contain the URL's user name and password, and the requests do")
    func password() async throws {
        let client = ScriptedHTTPClient(["GET /todos": [.response(200, "[]")]])
        let service = await service(client, at: "http://u:s3cret@test")
        #expect(try await service.all().source == TodoSource(baseURL: "http://test"))
        #expect(client.requests.map(\.url) == ["http://u:s3cret@test/todos"])
    }

    @Test("A logged-in user's client sends the requests of the user's window")
    func session() async throws {
        let (plain, personal) = (
            ScriptedHTTPClient([:]), ScriptedHTTPClient(["GET /todos": [.response(200, "[\(one)]")]])
        )
        let service = await service(plain) { identity in identity == "a" ? ("ada", personal) : nil }
        #expect(try await service.all().source == TodoSource(baseURL: "http://test", userName: "ada"))
        #expect(personal.requests.count == 1)
    }

    @Test("If nobody is logged in, the plain client sends the requests")
    func nobody() async throws {
        let plain = ScriptedHTTPClient(["GET /todos": [.response(200, "[]")]])
        #expect(try await service(plain) { _ in nil }.all().source.userName == nil)
        #expect(plain.requests.count == 1)
    }

    @Test("If a session cannot be read, no request is sent")
    func unreadable() async {
        let service = await service(ScriptedHTTPClient([:])) { _ throws in throw storeFailure }
        await #expect(throws: storeFailure) { try await service.all() }
    }
}
