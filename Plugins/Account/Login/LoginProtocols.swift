import ViperKit

// The interfaces between the roles of the login form. The presenter uses `LoginViewing`, `LoginInteracting` and
// `LoginNavigating`; the view uses `LoginPresenting`.

@MainActor
protocol LoginViewing: AnyObject {
    func show(_ form: Form)
    func showLoading()
    /// Shows an alert above the form, or removes it if nil.
    func show(_ alert: Alert?)
}

@MainActor
protocol LoginPresenting: AnyObject {
    func load()
    func fill(_ field: String, _ text: String)
    func press(_ action: String) async
}

protocol LoginInteracting: Sendable {
    func logIn(userName: String, password: String) async throws(ViperError)
}

@MainActor
protocol LoginNavigating: AnyObject {
    /// Replaces all scenes with the user's home screen.
    func showHome() async throws(ViperError)
}

enum LoginAction {
    static let login = Action(id: "login", title: "Log in")
    static let dismiss = Action(id: "dismiss", title: "Back to the form")
}
