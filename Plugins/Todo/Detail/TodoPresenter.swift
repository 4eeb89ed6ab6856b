import ViperKit

final class TodoPresenter: TodoPresenting {
    weak var view: (any TodoViewing)?
    private let id: Int
    private let environment: TodoEnvironment
    private let identity: String
    private let interactor: any TodoInteracting
    private let wireframe: any TodoNavigating
    private let reads = LatestReads()

    init(
        id: Int, environment: TodoEnvironment, identity: String = "", interactor: any TodoInteracting,
        wireframe: any TodoNavigating
    ) {
        self.identity = identity
        (self.id, self.environment, self.interactor, self.wireframe) = (id, environment, interactor, wireframe)
    }

    func load() async {
        reads.follow(environment.sourceChanges(for: identity)) { [weak self] in await self?.read() }
        await read()
    }

    private func read() async {
        view?.showLoading()
        let id = id
        do {
            let todo = try await reads.latest { () async throws(ViperError) in try await interactor.todo(id) }
            if let todo { view?.show(Self.fields(of: todo)) }
        } catch {
            view?.show(
                Alert(
                    title: "Cannot get the todo", message: error.description,
                    actions: [TodoAction.retry, .close]))
        }
    }

    func press(_ action: TodoAction) async {
        switch action {
        case .retry: await read()
        case .close: await wireframe.close()
        }
    }

    private static func fields(of todo: Todo) -> [Row] {
        [
            ("Number", "\(todo.id)"), ("Title", todo.title), ("Done", todo.completed ? "yes" : "no"),
            ("User", "\(todo.userId)"),
        ].map { label, value in
            var row = Row(id: label, title: label, detail: value)
            row.isSelectable = false
            return row
        }
    }
}
