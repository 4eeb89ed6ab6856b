import Observation
import ViperKit

@Observable
final class NotesView: View, NotesViewing {
    private(set) var screen = Screen(title: "Notes")
    private let presenter: any NotesPresenting

    init(presenter: any NotesPresenting) {
        self.presenter = presenter
        screen.form = Form(fields: [Field(id: NotesField.search, value: "")])
        screen.actions = [Action(NotesAction.write)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() {
        screen.isLoading = true
        screen.alert = nil
    }

    func show(_ notes: Section, search: String) {
        screen.isLoading = false
        screen.sections = notes.rows.isEmpty ? [] : [notes]
        screen.emptyText = search.isEmpty ? "No notes yet" : "No note contains \(search)"
        screen.form = Form(fields: [Field(id: NotesField.search, value: search)])
    }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }

    func show(message: String?) { screen.message = message }
}
