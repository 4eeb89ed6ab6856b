import Observation
import ViperKit

@Observable
final class TodoSettingsView: View, TodoSettingsViewing {
    private(set) var screen = Screen(title: "Settings")
    private let presenter: any TodoSettingsPresenting

    init(presenter: any TodoSettingsPresenting) {
        self.presenter = presenter
        screen.actions = [Action(TodoSettingsAction.save), Action(TodoSettingsAction.cancel)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(_ form: Form) { screen.form = form }

    func show(_ alert: Alert?) { screen.alert = alert }
}
