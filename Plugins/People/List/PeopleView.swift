import Observation
import ViperKit

@Observable
final class PeopleView: View, PeopleViewing {
    private(set) var screen = Screen(title: "People")
    private let presenter: any PeoplePresenting

    init(presenter: any PeoplePresenting) {
        self.presenter = presenter
        screen.actions = [Action(PeopleAction.add)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() {
        screen.isLoading = true
        screen.alert = nil
    }

    func show(_ rows: [Row]) {
        screen.isLoading = false
        screen.sections = rows.isEmpty ? [] : [Section(rows: rows)]
        screen.emptyText = rows.isEmpty ? "Nobody yet" : nil
    }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }
}
