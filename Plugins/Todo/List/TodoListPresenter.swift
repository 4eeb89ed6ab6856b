import ViperKit

/// Writes todos as rows, and lets a person try again what failed.
final class TodoListPresenter: Presenter, TodoListPresenting {
    static let retry = Action(id: "retry", title: "Retry")

    private let model: TodoListViewModel
    private let interactor: any TodoListInteracting
    private let wireframe: any TodoListNavigating

    init(model: TodoListViewModel, interactor: any TodoListInteracting, wireframe: any TodoListNavigating) {
        (self.model, self.interactor, self.wireframe) = (model, interactor, wireframe)
    }

    func load() async {
        model.state = .loading
        do {
            let todos = try await interactor.todos()
            model.state = .loaded(
                todos.map { Row(id: "\($0.id)", title: $0.title, detail: $0.completed ? "done" : "open") })
        } catch {
            model.state = .failed(title: "Cannot get the todos", cause: error.description)
        }
    }

    func press(_ action: String) async {
        if action == Self.retry.id { await load() }
    }

    func select(_ row: String) async {
        guard let id = Int(row) else { return }
        do {
            try await wireframe.openTodo(id)
        } catch {
            model.state = .failed(title: "Cannot show the todo", cause: error.description)
        }
    }
}
