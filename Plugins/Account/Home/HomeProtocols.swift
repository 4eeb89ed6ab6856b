import ViperKit

// The interfaces between the roles of the home screen. The presenter uses `HomeViewing`, `HomeInteracting` and
// `HomeNavigating`. The view uses `HomePresenting`.

@MainActor
protocol HomeViewing: AnyObject {
    func showLoading()
    func show(_ greeting: String)
    /// Shows an alert above the content. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

protocol HomePresenting: Presenter where SceneAction == HomeAction {}

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

enum HomeAction: String, ActionID {
    case logout, login, dismiss

    var title: String {
        switch self {
        case .logout: "Log out"
        case .login: "Log in again"
        case .dismiss: "Back"
        }
    }

    var role: Action.Role? {
        switch self {
        case .logout: nil
        case .login: .default
        case .dismiss: .cancel
        }
    }
}
