import Observation
import ViperKit

@Observable
final class TodoView: View, TodoViewing {
    private(set) var screen: Screen
    private let presenter: any TodoPresenting

    init(environment: TodoEnvironment, presenter: any TodoPresenting) {
        screen = Screen(title: environment.title)
        self.presenter = presenter
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() {
        screen = Screen(title: screen.title)
        screen.isLoading = true
    }

    func show(_ fields: [Row]) {
        screen.isLoading = false
        screen.sections = [Section(rows: fields)]
        screen.actions = [Action(TodoAction.close)]
    }

    func show(_ alert: Alert) {
        screen.isLoading = false
        screen.alert = alert
    }
}
