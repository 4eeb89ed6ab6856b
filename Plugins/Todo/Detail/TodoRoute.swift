import ViperKit

/// The route that shows the details of a todo, with its parameters.
struct TodoRoute: RouteArguments {
    static let route = "todo"

    /// The number that the server has assigned to the todo.
    var id: Int
}
