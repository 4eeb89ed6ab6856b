import ViperKit

// The interfaces between the roles of the list. The presenter uses `TodoListInteracting` and `TodoListNavigating`; the
// view uses `TodoListPresenting`. The presenter writes the list into the view model.

@MainActor
protocol TodoListPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
    func select(_ row: String) async
}

protocol TodoListInteracting: Sendable {
    func todos() async throws(ViperError) -> [Todo]
}

@MainActor
protocol TodoListNavigating: AnyObject {
    func openTodo(_ id: Int) async throws(ViperError)
}

enum TodoListAction {
    static let retry = Action(id: "retry", title: "Retry")
    static let dismiss = Action(id: "dismiss", title: "Back to the list")
}
