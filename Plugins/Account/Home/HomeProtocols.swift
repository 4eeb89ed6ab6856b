import ViperKit

// The interfaces between the roles of the home screen. The presenter uses `HomeViewing`, `HomeInteracting` and
// `HomeNavigating`; the view uses `HomePresenting`.

@MainActor
protocol HomeViewing: AnyObject {
    func showLoading()
    func show(_ greeting: String)
    /// Shows an alert above the content, or removes it if nil.
    func show(_ alert: Alert?)
}

@MainActor
protocol HomePresenting: AnyObject {
    func load() async
    func press(_ action: String) async
}

protocol HomeInteracting: Sendable {
    /// Returns the name of the logged-in user, or nil if nobody is logged in.
    func userName() async throws(ViperError) -> String?
    func logOut() async throws(ViperError)
}

@MainActor
protocol HomeNavigating: AnyObject {
    /// Replaces all scenes with the login form.
    func showLogin() async throws(ViperError)
}

enum HomeAction {
    static let logout = Action(id: "logout", title: "Log out")
    static let login = Action(id: "login", title: "Log in again")
    static let dismiss = Action(id: "dismiss", title: "Back")
}
