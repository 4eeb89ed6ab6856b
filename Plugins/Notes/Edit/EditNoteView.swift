import Observation
import ViperKit

@Observable
final class EditNoteView: View, EditNoteViewing {
    private(set) var screen = Screen(title: "New note")
    private let presenter: any EditNotePresenting

    init(presenter: any EditNotePresenting) {
        self.presenter = presenter
        screen.actions = [Action(EditNoteAction.save), Action(EditNoteAction.cancel)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func show(_ form: Form, title: String) { (screen.form, screen.title) = (form, title) }

    func show(_ alert: Alert?) { screen.alert = alert }
}
