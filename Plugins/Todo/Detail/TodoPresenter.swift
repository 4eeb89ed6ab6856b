import ViperKit

final class TodoPresenter: TodoPresenting {
    weak var view: (any TodoViewing)?
    private let id: Int
    private let environment: TodoEnvironment
    private let identity: String
    private let interactor: any TodoInteracting
    private let wireframe: any TodoNavigating
    /// The task that reads the todo again whenever its source changes. It is cancelled when the presenter is
    /// deinitialized.
    private var following: Task<Void, Never>?
    private var reads = (begun: 0, shown: 0)

    init(
        id: Int, environment: TodoEnvironment, identity: String = "", interactor: any TodoInteracting,
        wireframe: any TodoNavigating
    ) {
        self.identity = identity
        (self.id, self.environment, self.interactor, self.wireframe) = (id, environment, interactor, wireframe)
    }

    deinit { following?.cancel() }

    func load() async {
        follow()
        await read()
    }

    private func follow() {
        if following != nil { return }
        let changes = environment.sourceChanges(for: identity)
        following = Task { [weak self] in
            for await _ in changes { await self?.read() }
        }
    }

    private func read() async {
        reads.begun += 1
        let number = reads.begun
        view?.showLoading()
        let result: Result<Todo, ViperError>
        do { result = .success(try await interactor.todo(id)) } catch { result = .failure(error) }
        // Reads can finish out of order. Ignore this result if a newer one is already shown.
        if number < reads.shown { return }
        reads.shown = number
        switch result {
        case .success(let todo): view?.show(Self.fields(of: todo))
        case .failure(let error):
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
        ].map { Row(id: $0, title: $0, detail: $1) }
    }
}
