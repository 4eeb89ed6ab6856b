import ViperKit

/// The parameters of the route that shows a todo's details.
struct TodoRoute: RouteArguments {
    static let route = "todo"

    /// The number that the server has assigned to the todo.
    var id: Int
}
