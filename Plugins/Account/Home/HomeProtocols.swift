import ViperKit

// What the roles of the home know of each other.

/// What the presenter asks of the view.
@MainActor
protocol HomeViewing: AnyObject {
    func showLoading()
    func show(_ greeting: String)
    /// Shows an alert in front of the home; nil takes it away.
    func show(_ alert: Alert?)
}

/// What the view asks of the presenter.
@MainActor
protocol HomePresenting: AnyObject {
    func load() async
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol HomeInteracting: Sendable {
    /// Who is logged in, or nil.
    func userName() async throws(ViperError) -> String?
    func logOut() async throws(ViperError)
}

/// What the presenter asks of the wireframe.
@MainActor
protocol HomeNavigating: AnyObject {
    /// Shows the form that logs in, in place of all else.
    func showLogin() async throws(ViperError)
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum HomeAction {
    static let logout = Action(id: "logout", title: "Log out")
    static let login = Action(id: "login", title: "Log in again")
    static let dismiss = Action(id: "dismiss", title: "Back")
}
