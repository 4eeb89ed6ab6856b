import ViperKit

/// The module's source of todos. Interactors use this protocol, so they do not depend on HTTP.
protocol TodoService: Sendable {
    /// Returns all todos in the order in which the server lists them.
    func all() async throws(ViperError) -> [Todo]

    func todo(_ id: Int) async throws(ViperError) -> Todo
}

/// A service that fetches todos from a server with the same interface as JSONPlaceholder.
struct HTTPTodoService: TodoService {
    private let client: any HTTPClient
    private let json: any JSONCoder
    private let baseURL: BaseURL

    /// Creates a service for a server.
    ///
    /// - Parameters:
    ///   - client: The client that sends the requests.
    ///   - json: The decoder for responses.
    ///   - baseURL: The server's URL.
    /// - Throws: ``ViperError/Code/httpRequestInvalid`` if the URL is not a valid base URL.
    init(client: any HTTPClient, json: any JSONCoder, baseURL: String) throws(ViperError) {
        (self.client, self.json) = (client, json)
        self.baseURL = try BaseURL(baseURL)
    }

    func all() async throws(ViperError) -> [Todo] { try await get([Todo].self, "todos") }

    func todo(_ id: Int) async throws(ViperError) -> Todo { try await get(Todo.self, "todos/\(id)") }

    private func get<Value: Decodable>(_ type: Value.Type, _ path: String) async throws(ViperError) -> Value {
        var request = HTTPRequest(method: "GET", url: "\(baseURL.text)/\(path)")
        request.headers = ["Accept": "application/json"]
        return try json.decode(type, from: try await client.fetch(request).body, named: path)
    }
}
