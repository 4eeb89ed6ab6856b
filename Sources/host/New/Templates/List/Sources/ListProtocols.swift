import ViperKit

// The interfaces between the roles. Tests replace each role with a fake.

/// The presenter's interface to the view.
@MainActor
protocol ListViewing: AnyObject {
    func showLoading()
    func show(_ sections: [Section])
    /// Shows a text above the list.
    func show(_ text: String)
    func show(_ alert: Alert)
}

/// The view's interface to the presenter.
@MainActor
protocol ListPresenting: AnyObject {
    func load() async
    func select(_ row: String)
    func press(_ action: String) async
}

/// The presenter's interface to the interactor.
protocol ListInteracting: Sendable {
    /// Returns all items, in the file's order.
    func items() async throws(ViperError) -> [Item]
}

/// The presenter's interface to the wireframe.
@MainActor
protocol ListNavigating: AnyObject {
    func close() async
}

/// The actions of the scene. The view or an alert shows them, and the presenter performs them.
enum ListAction {
    static let close = Action(id: "close", title: "Close")
}
