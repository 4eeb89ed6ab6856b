import Observation
import ViperKit

@Observable
final class MenuView: View, MenuViewing {
    private(set) var screen = Screen(title: "Menu")
    private let presenter: any MenuPresenting

    init(presenter: any MenuPresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(_ sections: [Section]) {
        screen.sections = sections
        screen.emptyText = sections.isEmpty ? "No module contributes to the menu" : nil
    }

    func show(_ alert: Alert?) { screen.alert = alert }
}
