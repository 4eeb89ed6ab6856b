import ViperKit

/// Gets todos. The module's own protocol, so that its interactors know nothing of HTTP.
protocol TodoService: Sendable {
    /// All todos, in the server's order.
    func all() async throws(ViperError) -> [Todo]

    /// The todo with this id.
    func todo(_ id: Int) async throws(ViperError) -> Todo
}

/// Todos of a server with the interface of JSONPlaceholder.
struct HTTPTodoService: TodoService {
    private let client: any HTTPClient
    private let json: any JSONCoder
    private let baseURL: String

    init(client: any HTTPClient, json: any JSONCoder, baseURL: String) {
        (self.client, self.json) = (client, json)
        // A slash at its end is easily written.
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
    }

    func all() async throws(ViperError) -> [Todo] { try await get([Todo].self, "todos") }

    func todo(_ id: Int) async throws(ViperError) -> Todo { try await get(Todo.self, "todos/\(id)") }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws(ViperError) -> Value {
        var request = HTTPRequest(method: "GET", url: "\(baseURL)/\(path)")
        request.headers = ["Accept": "application/json"]
        return try json.decode(type, from: try await client.fetch(request).body, named: path)
    }
}
