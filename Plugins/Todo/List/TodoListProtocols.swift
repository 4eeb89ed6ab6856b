import ViperKit

// The interfaces between the roles of the list. The presenter uses `TodoListInteracting`, `TodoCompleting` and
// `TodoListNavigating`. The view uses `TodoListPresenting`. The presenter stores the list in the view model.

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
    case more, refresh, retry, settings, dismiss, done, reopen

    var title: String {
        switch self {
        case .more: "More todos"
        case .refresh: "Refresh"
        case .retry: "Retry"
        case .done: "Done"
        case .reopen: "Reopen"
        case .settings: "Settings"
        case .dismiss: "Back to the list"
        }
    }

    var role: Action.Role? {
        switch self {
        case .refresh, .retry: .refresh
        case .dismiss: .cancel
        default: nil
        }
    }

    var key: String? {
        switch self {
        case .more: "m"
        case .refresh: "r"
        default: nil
        }
    }
}
