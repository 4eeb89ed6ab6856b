import Observation
import ViperKit

@Observable
final class LoginView: View, LoginViewing {
    private(set) var screen = Screen(title: "Log in")
    private let presenter: any LoginPresenting

    init(presenter: any LoginPresenting) {
        self.presenter = presenter
        screen.image = Screen.Image(path: "logo.svg", alternative: "VIPER host")
        screen.actions = [Action(LoginAction.login)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(_ form: Form) { screen.form = form }

    func showLoading() { screen.isLoading = true }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }
}
