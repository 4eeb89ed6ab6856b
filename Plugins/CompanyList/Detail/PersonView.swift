import Observation
import ViperKit

@Observable
final class PersonView: View, PersonViewing {
    private(set) var screen = Screen(title: "Person")
    private let presenter: any PersonPresenting

    init(presenter: any PersonPresenting) {
        self.presenter = presenter
        screen.actions = [Action(PersonAction.close)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(title: String, _ fields: [Row]) {
        screen = Screen(title: title)
        screen.sections = [Section(rows: fields)]
        screen.actions = [Action(PersonAction.close)]
    }

    func show(_ alert: Alert) {
        screen.actions = []
        screen.alert = alert
    }
}
