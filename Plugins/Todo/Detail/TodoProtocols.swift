import ViperKit

// What the roles of the detail know of each other.

/// What the presenter asks of the view.
@MainActor
protocol TodoViewing: AnyObject {
    func showLoading()
    func show(_ fields: [Row])
    func show(_ alert: Alert)
}

/// What the view asks of the presenter.
@MainActor
protocol TodoPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol TodoInteracting: Sendable {
    /// The todo with this id.
    func todo(_ id: Int) async throws(ViperError) -> Todo
}

/// What the presenter asks of the wireframe.
@MainActor
protocol TodoNavigating: AnyObject {
    func close() async
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum TodoAction {
    static let close = Action(id: "close", title: "Close")
    static let retry = Action(id: "retry", title: "Retry")
}
