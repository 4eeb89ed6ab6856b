import ViperKit

// The interfaces between the roles of the list. The presenter uses `CompanyListViewing`, `CompanyListInteracting` and
// `CompanyListNavigating`; the view uses `CompanyListPresenting`. Tests replace each role with a fake.

@MainActor
protocol CompanyListViewing: AnyObject {
    func showLoading()
    func show(_ sections: [Section])
    /// Shows an alert above the list, or removes it if nil.
    func show(_ alert: Alert?)
}

@MainActor
protocol CompanyListPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
    func select(_ row: String) async
}

protocol CompanyListInteracting: Sendable {
    /// Returns all people, in the file's order.
    func people() async throws(ViperError) -> [Person]
}

@MainActor
protocol CompanyListNavigating: AnyObject {
    func openPerson(_ id: String) async throws(ViperError)
    func close() async
}

enum CompanyListAction {
    static let close = Action(id: "close", title: "Close")
    static let retry = Action(id: "retry", title: "Retry")
    static let dismiss = Action(id: "dismiss", title: "Back to the list")
}
