import Observation
import ViperKit

@Observable
final class HomeView: View, HomeViewing {
    private(set) var screen = Screen(title: "Home")
    private let presenter: any HomePresenting

    init(presenter: any HomePresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() { screen.isLoading = true }

    func show(_ greeting: String) {
        screen.isLoading = false
        screen.text = greeting
        screen.actions = [Action(HomeAction.logout)]
    }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }
}
