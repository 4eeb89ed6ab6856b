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
        (screen.isLoading, screen.progress) = (true, Screen.Progress(text: text))
    }

    func show(_ sections: [Section]) {
        showEnd()
        screen.sections = sections
    }

    func show(_ alert: Alert?) {
        showEnd()
        screen.alert = alert
    }

    private func showEnd() { (screen.isLoading, screen.progress) = (false, nil) }
}
