import ViperKit

final class TodoListWireframe: Wireframe, TodoListNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(
        todos: any TodoService, kept: KeptTodos, environment: TodoEnvironment, navigator: any Navigator
    ) -> any View {
        let model = TodoListViewModel()
        let presenter = TodoListPresenter(
            model: model, environment: environment, identity: navigator.identity,
            interactor: TodoListInteractor(service: todos, kept: kept),
            wireframe: TodoListWireframe(navigator: navigator))
        return TodoListView(environment: environment, model: model, presenter: presenter)
    }

    func openTodo(_ id: Int) async throws(ViperError) {
        try await navigator.open(TodoRoute(id: id), as: .push)
    }

    func openSettings() async throws(ViperError) { try await navigator.open(TodoSettingsRoute(), as: .push) }
}
