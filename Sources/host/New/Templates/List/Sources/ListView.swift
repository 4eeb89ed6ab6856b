import Observation
import ViperKit

/// The list's view. It describes the screen and passes the user's input to the presenter.
@Observable
final class ListView: View, ListViewing {
    private(set) var screen = Screen(title: "List template")
    private let presenter: any ListPresenting

    init(presenter: any ListPresenting) {
        self.presenter = presenter
        screen.actions = [Action(ListAction.close)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() { screen.isLoading = true }

    func show(_ sections: [Section]) {
        screen.isLoading = false
        screen.sections = sections
        screen.emptyText = sections.isEmpty ? "Nothing to list" : nil
    }

    func show(_ text: String) { screen.text = text }

    func show(_ alert: Alert) {
        screen.isLoading = false
        // Only the alert's actions remain available.
        screen.actions = []
        screen.alert = alert
    }
}
