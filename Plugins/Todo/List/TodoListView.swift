import ViperKit

final class TodoListView: View {
    private let environment: TodoEnvironment
    private let model: TodoListViewModel
    private let presenter: any TodoListPresenting

    init(environment: TodoEnvironment, model: TodoListViewModel, presenter: any TodoListPresenting) {
        (self.environment, self.model, self.presenter) = (environment, model, presenter)
    }

    /// The screen, computed from the observed view model.
    var screen: Screen {
        var screen = Screen(title: environment.title)
        switch model.state {
        case .loading: screen.isLoading = true
        case .loaded(let rows, let alert):
            screen.sections = rows.isEmpty ? [] : [Section(rows: rows)]
            screen.emptyText = rows.isEmpty ? "Nothing to do" : nil
            screen.alert = alert
        case .failed(let alert): screen.alert = alert
        }
        return screen
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }
}
