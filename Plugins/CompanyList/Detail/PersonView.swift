import Observation
import ViperKit

@Observable
final class PersonView: View, PersonViewing {
    private(set) var screen = Screen(title: "Person")
    private let presenter: any PersonPresenting

    init(presenter: any PersonPresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() { (screen.isLoading, screen.alert) = (true, nil) }

    func show(_ alert: Alert) { (screen.isLoading, screen.alert) = (false, alert) }
}
