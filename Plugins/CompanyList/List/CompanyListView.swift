import Observation
import ViperKit

@Observable
final class CompanyListView: View, CompanyListViewing {
    private(set) var screen = Screen(title: "People by company")
    private let presenter: any CompanyListPresenting

    init(presenter: any CompanyListPresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading(_ text: String) {
        screen = Screen(title: screen.title)
        screen.begin(text)
    }

    func show(_ sections: [Section]) {
        screen.end()
        screen.sections = sections
    }

    func show(_ alert: Alert?) {
        screen.end()
        screen.alert = alert
    }
}
