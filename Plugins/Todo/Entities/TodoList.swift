/// The todos of one source.
struct TodoList: Sendable, Equatable, Codable {
    var source: TodoSource
    var todos: [Todo]
    /// The time at which the list was kept, such as `2026-11-25T17:20:00Z`. Nil if the list comes from the server.
    var keptAt: String?
}

/// Where a list of todos comes from. A server may give each user other todos.
struct TodoSource: Sendable, Equatable, Codable {
    /// The server's URL without the user name and password, because the source is stored.
    var baseURL: String
    /// The name of the logged-in user, or nil if nobody is logged in.
    var userName: String?
}
