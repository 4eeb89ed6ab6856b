import Observation
import ViperKit

@Observable
final class CompanySearchView: View, CompanySearchViewing {
    private(set) var screen = Screen(title: "Companies")
    private let presenter: any CompanySearchPresenting

    init(presenter: any CompanySearchPresenting) {
        self.presenter = presenter
        screen.actions = [Action(CompanySearchAction.chart), Action(CompanySearchAction.refresh)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() { screen.begin("Reading the people") }

    func show(search: String) { screen.form = Form(fields: [Field(id: CompanySearchField.search, value: search)]) }

    func show(_ people: [Section], emptyText: String) {
        screen.end()
        (screen.sections, screen.emptyText) = (people, emptyText)
    }

    func show(_ alert: Alert?) {
        screen.end()
        screen.alert = alert
    }
}
