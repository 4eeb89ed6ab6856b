import Observation
import ViperKit

@Observable
final class AddPersonView: View, AddPersonViewing {
    private(set) var screen = Screen(title: "Add a person")
    private let presenter: any AddPersonPresenting

    init(presenter: any AddPersonPresenting) {
        self.presenter = presenter
        screen.actions = [Action(AddPersonAction.add), Action(AddPersonAction.cancel)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(_ form: Form) { screen.form = form }

    func show(_ alert: Alert?) { screen.alert = alert }

    func showAdded(_ text: String) {
        screen.message = text
        screen.form = nil
        screen.actions = []
    }
}
