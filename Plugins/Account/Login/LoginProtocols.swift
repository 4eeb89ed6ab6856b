import ViperKit

// The interfaces between the roles of the login form. The presenter uses `LoginViewing`, `LoginInteracting` and
// `LoginNavigating`. The view uses `LoginPresenting`.

@MainActor
protocol LoginViewing: AnyObject {
    func show(_ form: Form)
    func showLoading()
    /// Shows an alert above the form. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

protocol LoginPresenting: Presenter where SceneAction == LoginAction, SceneField == LoginField {}

protocol LoginInteracting: Sendable {
    func logIn(userName: String, password: String) async throws(ViperError)
}

@MainActor
protocol LoginNavigating: AnyObject {
    /// Goes on after a login, to the user's home screen or to what the user wanted to open.
    func goOn() async throws(ViperError)
}

enum LoginAction: String, ActionID {
    case login, dismiss

    var title: String {
        switch self {
        case .login: "Log in"
        case .dismiss: "Back to the form"
        }
    }

    var role: Action.Role? { self == .login ? .default : .cancel }
}

enum LoginField: String, FieldID {
    case userName, password

    var label: String {
        switch self {
        case .userName: "User name"
        case .password: "Password"
        }
    }

    var kind: Field.Kind {
        switch self {
        case .userName: .text
        case .password: .password
        }
    }
    var isRequired: Bool { true }
}
