import ViperKit

/// The route that shows a todo's details. It contains the route's parameters.
struct TodoRoute: RouteArguments {
    static let route = "todo"

    /// The number that the server has assigned to the todo.
    var id: Int
}
