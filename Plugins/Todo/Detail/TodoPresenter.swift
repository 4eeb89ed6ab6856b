import ViperKit

final class TodoPresenter: TodoPresenting {
    weak var view: (any TodoViewing)?
    private let id: Int
    private let interactor: any TodoInteracting
    private let wireframe: any TodoNavigating

    init(id: Int, interactor: any TodoInteracting, wireframe: any TodoNavigating) {
        (self.id, self.interactor, self.wireframe) = (id, interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            view?.show(Self.fields(of: try await interactor.todo(id)))
        } catch {
            view?.show(
                Alert(
                    title: "Cannot get the todo", message: error.description,
                    actions: [TodoAction.retry, .close]))
        }
    }

    func press(_ action: TodoAction) async {
        switch action {
        case .retry: await load()
        case .close: await wireframe.close()
        }
    }

    private static func fields(of todo: Todo) -> [Row] {
        [
            ("Number", "\(todo.id)"), ("Title", todo.title), ("Done", todo.completed ? "yes" : "no"),
            ("User", "\(todo.userId)"),
        ].map { Row(id: $0, title: $0, detail: $1) }
    }
}
