import ViperKit

// What the roles know of each other. In its test, each role has fakes around it.

/// What the presenter asks of the view.
@MainActor
protocol ListViewing: AnyObject {
    func showLoading()
    func show(_ sections: [Section])
    /// Shows a text above the list.
    func show(_ text: String)
    func show(_ alert: Alert)
}

/// What the view asks of the presenter.
@MainActor
protocol ListPresenting: AnyObject {
    func load() async
    func select(_ row: String)
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol ListInteracting: Sendable {
    /// All items, in the file's order.
    func items() async throws(ViperError) -> [Item]
}

/// What the presenter asks of the wireframe.
@MainActor
protocol ListNavigating: AnyObject {
    func close() async
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum ListAction {
    static let close = Action(id: "close", title: "Close")
}
