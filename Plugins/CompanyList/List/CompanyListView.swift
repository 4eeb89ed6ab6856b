import Observation
import ViperKit

@Observable
final class CompanyListView: View, CompanyListViewing {
    private(set) var screen = Screen(title: "People by company")
    private let presenter: any CompanyListPresenting

    init(presenter: any CompanyListPresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() {
        screen = Screen(title: screen.title)
        screen.isLoading = true
    }

    func show(_ sections: [Section]) {
        screen.isLoading = false
        screen.sections = sections
    }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }
}
