import ViperKit

// What the roles of the list know of each other. What there is to show the presenter writes into the view model.

/// What the view asks of the presenter.
@MainActor
protocol TodoListPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
    func select(_ row: String) async
}

/// What the presenter asks of the interactor.
protocol TodoListInteracting: Sendable {
    /// All todos, in the server's order.
    func todos() async throws(ViperError) -> [Todo]
}

/// What the presenter asks of the wireframe.
@MainActor
protocol TodoListNavigating: AnyObject {
    /// Shows the todo with this id.
    func openTodo(_ id: Int) async throws(ViperError)
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum TodoListAction {
    static let retry = Action(id: "retry", title: "Retry")
    static let dismiss = Action(id: "dismiss", title: "Back to the list")
}
