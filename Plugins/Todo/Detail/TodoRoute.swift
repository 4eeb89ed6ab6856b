import ViperKit

/// The parameters of the route that shows one todo.
struct TodoRoute: RouteArguments {
    static let route = "todo"

    /// The number that the server gave the todo.
    var id: Int
}
