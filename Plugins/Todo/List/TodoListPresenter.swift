import ViperKit

final class TodoListPresenter: TodoListPresenting {
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

    func press(_ action: TodoListAction) async {
        switch action {
        case .retry: await load()
        case .dismiss: showList()
        }
    }

    func select(_ id: Int) async {
        guard todos.contains(where: { $0.id == id }) else { return }
        do {
            try await wireframe.openTodo(id)
        } catch {
            showList(
                below: Alert(
                    title: "Cannot show the todo", message: error.description, actions: [TodoListAction.dismiss]))
        }
    }

    private func showList(below alert: Alert? = nil) { model.state = .loaded(todos.map(Self.row), alert: alert) }

    private static func row(of todo: Todo) -> Row {
        Row(id: todo.id, title: todo.title, detail: todo.completed ? "done" : "open")
    }
}
