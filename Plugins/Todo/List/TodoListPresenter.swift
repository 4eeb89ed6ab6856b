import ViperKit

final class TodoListPresenter: Presenter, TodoListPresenting {
    private var todos: [Todo] = []
    private let model: TodoListViewModel
    private let interactor: any TodoListInteracting
    private let wireframe: any TodoListNavigating

    init(model: TodoListViewModel, interactor: any TodoListInteracting, wireframe: any TodoListNavigating) {
        (self.model, self.interactor, self.wireframe) = (model, interactor, wireframe)
    }

    func load() async {
        model.state = .loading
        do {
            todos = try await interactor.todos()
            showList()
        } catch {
            model.state = .failed(
                Alert(title: "Cannot get the todos", message: error.description, actions: [TodoListAction.retry]))
        }
    }

    func press(_ action: String) async {
        switch action {
        case TodoListAction.retry.id: await load()
        case TodoListAction.dismiss.id: showList()
        default: break
        }
    }

    func select(_ row: String) async {
        // Ignores unknown rows, as `press` ignores unknown actions.
        guard let todo = todos.first(where: { Self.row(of: $0).id == row }) else { return }
        do {
            try await wireframe.openTodo(todo.id)
        } catch {
            showList(
                below: Alert(
                    title: "Cannot show the todo", message: error.description, actions: [TodoListAction.dismiss]))
        }
    }

    private func showList(below alert: Alert? = nil) { model.state = .loaded(todos.map(Self.row), alert: alert) }

    private static func row(of todo: Todo) -> Row {
        Row(id: "\(todo.id)", title: todo.title, detail: todo.completed ? "done" : "open")
    }
}
