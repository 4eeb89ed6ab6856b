import ViperKit

final class TodoListPresenter: TodoListPresenting {
    private var list: TodoList?
    private let model: TodoListViewModel
    private let environment: TodoEnvironment
    private let identity: String
    private let interactor: any TodoListInteracting
    private let wireframe: any TodoListNavigating
    /// The task that reads the list again whenever its source changes. It is cancelled when the presenter is
    /// deinitialized.
    private var following: Task<Void, Never>?
    private var reads = (begun: 0, shown: 0)

    init(
        model: TodoListViewModel, environment: TodoEnvironment, identity: String = "",
        interactor: any TodoListInteracting, wireframe: any TodoListNavigating
    ) {
        self.identity = identity
        (self.model, self.environment, self.interactor, self.wireframe) = (model, environment, interactor, wireframe)
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
        model.state = .loading
        let result: Result<TodoList, ViperError>
        do { result = .success(try await interactor.todos()) } catch { result = .failure(error) }
        // Reads can finish out of order. Ignore this result if a newer one is already shown.
        if number < reads.shown { return }
        reads.shown = number
        switch result {
        case .success(let list):
            self.list = list
            showList()
        case .failure(let error):
            list = nil
            let actions = [TodoListAction.retry]
            model.state = .failed(
                Alert(title: "Cannot get the todos", message: error.description, actions: actions))
        }
    }

    func press(_ action: TodoListAction) async {
        switch action {
        case .previous: if await isCurrent() { turn(by: -1) }
        case .next: if await isCurrent() { turn(by: 1) }
        case .retry: await read()
        case .settings:
            await attempt("Cannot show the settings") { () async throws(ViperError) in
                try await wireframe.openSettings()
            }
        case .dismiss: if list == nil { await read() } else if await isCurrent() { showList() }
        }
    }

    func select(_ id: Int) async {
        guard await isCurrent(), list?.todos.contains(where: { $0.id == id }) == true else { return }
        await attempt("Cannot show the todo") { () async throws(ViperError) in try await wireframe.openTodo(id) }
    }

    /// Returns false, after reading the list again, if the list has another source than the next request. This happens
    /// when a user logs in or out, because a user must not see the list of another one.
    private func isCurrent() async -> Bool {
        if list == nil { return true }
        // If the source cannot be determined, reading throws the same error and shows it.
        let source = try? await interactor.source()
        if let source, source == list?.source { return true }
        await read()
        return false
    }

    private func turn(by pages: Int) {
        let size = environment.settings.pageSize
        let page = TodoListPage(containing: model.row, of: list?.todos.count ?? 0, size: size)
        model.row = max(0, page.rows.lowerBound + pages * size)
    }

    /// Runs an attempt. If it fails, shows an alert with the title.
    private func attempt(_ title: String, _ body: () async throws(ViperError) -> Void) async {
        do { try await body() } catch {
            let alert = Alert(title: title, message: error.description, actions: [TodoListAction.dismiss])
            if list == nil { model.state = .failed(alert) } else { showList(below: alert) }
        }
    }

    private func showList(below alert: Alert? = nil) {
        let note = list?.keptAt.map { "The server cannot be reached. This is the list of \($0)." }
        model.state = .loaded((list?.todos ?? []).map(Self.row), note: note, alert: alert)
    }

    private static func row(of todo: Todo) -> Row {
        Row(id: todo.id, title: todo.title, detail: todo.completed ? "done" : "open")
    }
}
