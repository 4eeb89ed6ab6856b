import Observation
import ViperKit

@Observable
final class AlertView: View, AlertViewing {
    private(set) var screen = Screen(title: "")
    private let presenter: any AlertPresenting

    init(presenter: any AlertPresenting) { self.presenter = presenter }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(title: String, message: String?, _ actions: [Action]) {
        screen = Screen(title: title)
        (screen.text, screen.actions) = (message, actions)
    }
}
