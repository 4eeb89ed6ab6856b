import Observation
import ViperKit

@Observable
final class PeopleView: View, PeopleViewing {
    private(set) var screen = Screen(title: "People")
    private let presenter: any PeoplePresenting

    init(presenter: any PeoplePresenting) {
        self.presenter = presenter
        screen.actions = [Action(PeopleAction.add)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() {
        screen.isLoading = true
        screen.alert = nil
    }

    func show(_ people: Section, search: String?, emptyText: String) {
        screen.isLoading = false
        screen.sections = people.rows.isEmpty ? [] : [people]
        screen.emptyText = people.rows.isEmpty ? emptyText : nil
        screen.form = search.map { Form(fields: [Field(id: PeopleField.search, value: $0)]) }
        // If nobody was found, the offer to add somebody stands in the place of the rows.
        let add = Action(PeopleAction.add)
        (screen.emptyAction, screen.actions) = people.rows.isEmpty ? (add, []) : (nil, [add])
    }

    func show(message: String?) { screen.message = message }

    func show(_ alert: Alert?) {
        screen.isLoading = false
        screen.alert = alert
    }
}
