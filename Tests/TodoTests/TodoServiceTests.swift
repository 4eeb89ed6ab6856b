import HostSystem
import Testing
import ViperKit
import ViperTesting

@testable import Todo

struct TodoServiceTests {
    private func service(_ client: ScriptedHTTPClient, at url: String) throws -> HTTPTodoService {
        try HTTPTodoService(client: client, json: FoundationJSONCoder(), baseURL: url)
    }

    @Test(
        "Each call sends one request that accepts JSON, regardless of trailing slashes in the URL",
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
        "An invalid base URL is refused without revealing its secrets",
        arguments: ["", "test", "ftp://test", "http:", "http://", "http://u:secret@test?secret", "http://test/#secret"])
    func invalidBaseURL(url: String) {
        let error = #expect(throws: ViperError.self) { try service(ScriptedHTTPClient([:]), at: url) }
        #expect(error?.code == .httpRequestInvalid && error?.operation == "cannot use base URL")
        #expect(error?.description.contains("secret") == false)
    }
}
