import ViperKit

// What the roles know of each other. Each role has its own in a test replaced by a fake.

/// What the presenter asks of the view.
@MainActor
protocol CompanyListViewing: AnyObject {
    func showLoading()
    func show(_ sections: [Section])
    /// Shows an alert in front of the list; nil takes it away.
    func show(_ alert: Alert?)
}

/// What the view asks of the presenter.
@MainActor
protocol CompanyListPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
    func select(_ row: String) async
}

/// What the presenter asks of the interactor.
protocol CompanyListInteracting: Sendable {
    /// All people, in the file's order.
    func people() async throws(ViperError) -> [Person]
}

/// What the presenter asks of the wireframe.
@MainActor
protocol CompanyListNavigating: AnyObject {
    /// Shows the person with this id.
    func openPerson(_ id: String) async throws(ViperError)
    func close() async
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum CompanyListAction {
    static let close = Action(id: "close", title: "Close")
    static let retry = Action(id: "retry", title: "Retry")
    static let dismiss = Action(id: "dismiss", title: "Back to the list")
}
