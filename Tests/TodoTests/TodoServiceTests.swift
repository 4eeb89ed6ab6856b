import Testing
import ViperKit
import ViperRuntime
import ViperTesting

@testable import Todo

/// The service alone, with a server that is a script.
struct TodoServiceTests {
    private func service(_ client: ScriptedHTTPClient, at url: String) throws -> HTTPTodoService {
        try HTTPTodoService(client: client, json: FoundationJSONCoder(), baseURL: url)
    }

    @Test(
        "todos are got with one request each, which says what it takes, whatever slashes the address ends with",
        arguments: ["http://test", "http://test/", "http://test///"])
    func requests(url: String) async throws {
        let one = #"{"userId": 3, "id": 7, "title": "delectus", "completed": false}"#
        let client = ScriptedHTTPClient([
            "GET /todos": [.response(200, "[\(one)]")], "GET /todos/7": [.response(200, one)],
        ])
        let service = try service(client, at: url)
        let todo = Todo(id: 7, userId: 3, title: "delectus", completed: false)
        #expect(try await service.all() == [todo])
        #expect(try await service.todo(7) == todo)
        #expect(client.requests.map(\.headers) == [["Accept": "application/json"], ["Accept": "application/json"]])
    }

    @Test(
        "what nothing can be put behind is no base URL, and its secrets are not shown",
        arguments: ["", "test", "ftp://test", "http:", "http://", "http://u:secret@test?secret", "http://test/#secret"])
    func noBase(url: String) {
        let error = #expect(throws: ViperError.self) { try service(ScriptedHTTPClient([:]), at: url) }
        #expect(error?.code == .httpRequest && error?.what == "cannot use base URL")
        #expect(error?.description.contains("secret") == false)
    }
}
