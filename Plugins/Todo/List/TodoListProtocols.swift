import ViperKit

// The interfaces between the roles of the list. The presenter uses `TodoListInteracting` and `TodoListNavigating`. The
// view uses `TodoListPresenting`. The presenter stores the list in the view model.

/// The presenter's interface for the view. The ID of each row is a todo's ID.
protocol TodoListPresenting: Presenter where SceneAction == TodoListAction, SceneRow == Int {}

protocol TodoListInteracting: Sendable {
    func todos() async throws(ViperError) -> [Todo]
}

@MainActor
protocol TodoListNavigating: AnyObject {
    func openTodo(_ id: Int) async throws(ViperError)
}

enum TodoListAction: String, ActionID {
    case retry, dismiss

    var title: String {
        switch self {
        case .retry: "Retry"
        case .dismiss: "Back to the list"
        }
    }
}
