import Observation
import ViperKit

@Observable
final class NotesView: View, NotesViewing {
    private(set) var screen = Screen(title: "Notes")
    private let presenter: any NotesPresenting

    init(presenter: any NotesPresenting) {
        self.presenter = presenter
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
        // Without notes there is nothing to search, and the offer to write one stands in their place.
        let (write, hasNotes) = (Action(NotesAction.write), !notes.rows.isEmpty || !search.isEmpty)
        screen.form = hasNotes ? Form(fields: [Field(id: NotesField.search, value: search)]) : nil
        (screen.emptyAction, screen.actions) = hasNotes ? (nil, [write]) : (write, [])
    }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }

    func show(message: String?) { screen.message = message }
}
