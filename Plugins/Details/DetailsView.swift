import Observation
import ViperKit

@Observable
final class DetailsView: View, DetailsViewing {
    private(set) var screen = Screen(title: "")
    private let presenter: any DetailsPresenting

    init(presenter: any DetailsPresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(title: String, _ rows: [Row], _ actions: [DetailsAction]) {
        screen = Screen(title: title)
        screen.sections = rows.isEmpty ? [] : [Section(rows: rows)]
        screen.actions = actions.map { Action($0) }
    }

    func show(_ alert: Alert?) { screen.alert = alert }
}
