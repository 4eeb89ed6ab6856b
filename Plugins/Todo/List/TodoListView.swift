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
            (screen.text, screen.alert, screen.message) = (note, alert, model.message)
            let shown = model.pages * environment.settings.pageSize
            var section = Section(rows: Array(rows.prefix(shown)))
            section.more = Section.More(Action(TodoListAction.more), shown: shown, of: rows.count)
            screen.sections = rows.isEmpty ? [] : [section]
            screen.emptyText = rows.isEmpty ? "Nothing to do" : nil
            screen.actions = [Action(TodoListAction.refresh), Action(TodoListAction.settings)]
        case .failed(let alert):
            screen.alert = alert
            screen.actions = [Action(TodoListAction.settings)]
        }
        return screen
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }
}
