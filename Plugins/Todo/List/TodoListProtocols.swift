import ViperKit

// The interfaces between the roles of the list. The presenter uses `TodoListInteracting` and `TodoListNavigating`. The
// view uses `TodoListPresenting`. The presenter stores the list in the view model.

/// The presenter's interface for the view. The ID of each row is a todo's ID.
protocol TodoListPresenting: Presenter where SceneAction == TodoListAction, SceneRow == Int {}

protocol TodoListInteracting: Sendable {
    /// Returns the source of the list that ``todos()`` would return.
    func source() async throws(ViperError) -> TodoSource

    /// Returns the list of the server. If the server cannot be reached, returns the list that was kept last.
    func todos() async throws(ViperError) -> TodoList
}

@MainActor
protocol TodoListNavigating: AnyObject {
    func openTodo(_ id: Int) async throws(ViperError)
    func openSettings() async throws(ViperError)
}

enum TodoListAction: String, ActionID {
    case previous, next, retry, settings, dismiss

    var title: String {
        switch self {
        case .previous: "Previous page"
        case .next: "Next page"
        case .retry: "Retry"
        case .settings: "Settings"
        case .dismiss: "Back to the list"
        }
    }
}
