import ViperKit

// What the roles of the form know of each other.

/// What the presenter asks of the view.
@MainActor
protocol LoginViewing: AnyObject {
    func show(_ form: Form)
    func showLoading()
    /// Shows an alert in front of the form; nil takes it away.
    func show(_ alert: Alert?)
}

/// What the view asks of the presenter.
@MainActor
protocol LoginPresenting: AnyObject {
    func load()
    func fill(_ field: String, _ text: String)
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol LoginInteracting: Sendable {
    func logIn(userName: String, password: String) async throws(ViperError)
}

/// What the presenter asks of the wireframe.
@MainActor
protocol LoginNavigating: AnyObject {
    /// Shows the home of who has logged in, in place of all else.
    func showHome() async throws(ViperError)
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum LoginAction {
    static let login = Action(id: "login", title: "Log in")
    static let dismiss = Action(id: "dismiss", title: "Back to the form")
}
