import Observation
import ViperKit

/// The view of the form. It describes the screen and passes the user's input to the presenter.
@Observable
final class FormView: View, FormViewing {
    private(set) var screen = Screen(title: "Form template")
    private let presenter: any FormPresenting

    init(presenter: any FormPresenting) {
        self.presenter = presenter
        screen.actions = [FormAction.add, FormAction.cancel]
    }

    func viewDidLoad() async { presenter.load() }

    func handle(_ event: Event) async {
        switch event {
        case .fill(let field, let text): presenter.fill(field, text)
        case .press(let action): await presenter.press(action)
        default: break
        }
    }

    func show(_ form: Form) { screen.form = form }

    func show(_ alert: Alert?) { screen.alert = alert }

    func showAdded(_ text: String) {
        screen.text = text
        screen.form = nil
        screen.actions = []
    }
}
