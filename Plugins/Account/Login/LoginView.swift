import Observation
import ViperKit

@Observable
final class LoginView: View, LoginViewing {
    private(set) var screen = Screen(title: "Log in")
    private let presenter: any LoginPresenting

    init(presenter: any LoginPresenting) {
        self.presenter = presenter
        screen.actions = [LoginAction.login]
    }

    func viewDidLoad() async { presenter.load() }

    func handle(_ event: Event) async {
        switch event {
        case .fill(let field, let text): presenter.fill(field, text)
        case .press(let action): await presenter.press(action)
        default: break
        }
    }

    func show(_ form: Form) { screen.form = form }

    func showLoading() { screen.isLoading = true }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }
}
