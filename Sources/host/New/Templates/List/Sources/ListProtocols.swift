import ViperKit

// The interfaces between the roles. They allow a test to replace the other roles with fakes.

/// The presenter's interface to the view.
@MainActor
protocol ListViewing: AnyObject {
    func showLoading()
    func show(_ sections: [Section])
    /// Shows text above the list.
    func show(_ text: String)
    func show(_ alert: Alert)
}

/// The view's interface to the presenter. A row is identified by the position of its item in the file.
protocol ListPresenting: Presenter where SceneAction == ListAction, SceneRow == Int {}

/// The presenter's interface to the interactor.
protocol ListInteracting: Sendable {
    /// Returns all items in the order in which the file lists them.
    func items() async throws(ViperError) -> [Item]
}

/// The presenter's interface to the wireframe.
@MainActor
protocol ListNavigating: AnyObject {
    func close() async
}

/// The scene's actions. The view or an alert offers them, and the presenter performs them.
enum ListAction: String, ActionID {
    case close
}
