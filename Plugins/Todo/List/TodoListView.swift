import ViperKit

final class TodoListView: View {
    private let environment: TodoEnvironment
    private let model: TodoListViewModel
    private let presenter: any TodoListPresenting

    init(environment: TodoEnvironment, model: TodoListViewModel, presenter: any TodoListPresenting) {
        (self.environment, self.model, self.presenter) = (environment, model, presenter)
    }

    /// The screen, computed from the observed environment and view model.
    var screen: Screen {
        var screen = Screen(title: environment.title)
        switch model.state {
        case .loading: screen.isLoading = true
        case .loaded(let rows, let note, let alert):
            let page = TodoListPage(containing: model.row, of: rows.count, size: environment.settings.pageSize)
            let position = page.count > 1 ? "Page \(page.number) of \(page.count)" : nil
            let texts = [note, position].compactMap { $0 }
            screen.text = texts.isEmpty ? nil : texts.joined(separator: "\n")
            screen.sections = rows.isEmpty ? [] : [Section(rows: Array(rows[page.rows]))]
            screen.emptyText = rows.isEmpty ? "Nothing to do" : nil
            screen.alert = alert
            let actions: [(TodoListAction, isShown: Bool)] = [
                (.previous, page.number > 1), (.next, page.number < page.count), (.retry, note != nil),
                (.settings, true),
            ]
            screen.actions = actions.filter(\.isShown).map { Action($0.0) }
        case .failed(let alert):
            screen.alert = alert
            screen.actions = [Action(TodoListAction.settings)]
        }
        return screen
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }
}
