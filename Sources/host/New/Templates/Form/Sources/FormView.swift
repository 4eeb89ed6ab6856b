import Observation
import ViperKit

/// The form's view. It describes the screen and passes the user's input to the presenter.
@Observable
final class FormView: View, FormViewing {
    private(set) var screen = Screen(title: "Form template")
    private let presenter: any FormPresenting

    init(presenter: any FormPresenting) {
        self.presenter = presenter
        screen.actions = [Action(FormAction.add), Action(FormAction.cancel)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(_ form: Form) { screen.form = form }

    func show(_ alert: Alert?) { screen.alert = alert }

    func showAdded(_ text: String) {
        screen.text = text
        screen.form = nil
        screen.actions = []
    }
}
