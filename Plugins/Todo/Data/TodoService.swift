import ViperKit

/// The module's source of todos for one window. Interactors use this protocol, so they do not depend on HTTP.
protocol TodoService: Sendable {
    /// Returns the source that the next request asks.
    func source() async throws(ViperError) -> TodoSource

    /// Returns all todos in the order in which the server lists them.
    func all() async throws(ViperError) -> TodoList

    func todo(_ id: Int) async throws(ViperError) -> Todo

    /// Marks a todo as done, or as not done. Returns the todo as the server has it now.
    func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo
}

/// A service that fetches todos from a server with the same interface as JSONPlaceholder. If somebody is logged in, it
/// sends the requests in the name of this user.
struct HTTPTodoService: TodoService {
    let client: any HTTPClient
    /// The sessions of logged-in users, or nil if no module provides them.
    let session: SessionService?
    let json: any JSONCoder
    let environment: TodoEnvironment
    /// The identity of the window.
    let identity: String

    func source() async throws(ViperError) -> TodoSource { try await sender().source }

    func all() async throws(ViperError) -> TodoList {
        let sender = try await sender()
        return TodoList(source: sender.source, todos: try await get([Todo].self, "todos", by: sender))
    }

    func todo(_ id: Int) async throws(ViperError) -> Todo {
        try await get(Todo.self, "todos/\(id)", by: try await sender())
    }

    private struct Completion: Encodable {
        var completed: Bool
    }

    func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo {
        let (path, sender) = ("todos/\(id)", try await sender())
        var request = Self.request("PATCH", path, of: sender)
        request.headers["Content-Type"] = "application/json"
        request.body = try json.encode(Completion(completed: isDone))
        return try json.decode(Todo.self, from: try await sender.client.fetch(request).body, named: path)
    }

    /// A source of todos with the client that sends its requests.
    private struct Sender {
        let source: TodoSource
        /// The server's URL, possibly with a user name and password.
        let baseURL: BaseURL
        let client: any HTTPClient
    }

    private func sender() async throws(ViperError) -> Sender {
        try await environment.load()
        let baseURL = try BaseURL(await environment.settings.baseURL)
        let user = try await user()
        return Sender(
            source: TodoSource(baseURL: baseURL.description, userName: user?.userName), baseURL: baseURL,
            client: user?.client ?? client)
    }

    private func user() async throws(ViperError) -> (userName: String, client: any HTTPClient)? {
        do { return try await session?(identity) } catch {
            throw error as? ViperError
                ?? ViperError(
                    .serviceFailed, operation: "cannot use service", subject: "session", cause: "\(error)")
        }
    }

    private func get<Value: Decodable>(
        _ type: Value.Type, _ path: String, by sender: Sender
    ) async throws(ViperError) -> Value {
        let request = Self.request("GET", path, of: sender)
        return try json.decode(type, from: try await sender.client.fetch(request).body, named: path)
    }

    private static func request(_ method: String, _ path: String, of sender: Sender) -> HTTPRequest {
        var request = HTTPRequest(method: method, url: "\(sender.baseURL.text)/\(path)")
        request.headers = ["Accept": "application/json"]
        return request
    }
}
