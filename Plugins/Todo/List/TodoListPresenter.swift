import ViperKit

final class TodoListPresenter: TodoListPresenting {
    private var list: TodoList?
    private let model: TodoListViewModel
    private let environment: TodoEnvironment
    private let identity: String
    private let interactor: any TodoListInteracting
    private let completion: any TodoCompleting
    private let wireframe: any TodoListNavigating
    private let reads = LatestReads()

    init(
        model: TodoListViewModel, environment: TodoEnvironment, identity: String = "",
        interactor: any TodoListInteracting, completion: any TodoCompleting, wireframe: any TodoListNavigating
    ) {
        (self.model, self.environment, self.identity) = (model, environment, identity)
        (self.interactor, self.completion, self.wireframe) = (interactor, completion, wireframe)
    }

    func load() async {
        reads.follow(environment.sourceChanges(for: identity)) { [weak self] in await self?.read() }
        await read()
    }

    private func read() async {
        model.state = .loading
        do {
            guard let list = try await reads.latest(interactor.todos) else { return }
            self.list = list
            showList()
        } catch {
            list = nil
            let actions = [TodoListAction.retry]
            model.state = .failed(
                Alert(title: "Cannot get the todos", message: error.description, actions: actions))
        }
    }

    func press(_ action: TodoListAction) async {
        model.message = nil
        switch action {
        case .more: if await isCurrent() { model.pages += 1 }
        case .refresh, .retry: await read()
        case .settings:
            await attempt("Cannot show the settings") { () async throws(ViperError) in
                try await wireframe.openSettings()
            }
        case .dismiss: if list == nil { await read() } else if await isCurrent() { showList() }
        case .done, .reopen: break
        }
    }

    func act(_ action: TodoListAction, on id: Int) async {
        model.message = nil
        guard await isCurrent(), let source = list?.source else { return }
        await attempt("Cannot change the todo") { () async throws(ViperError) in
            let todo = try await completion.complete(id, isDone: action == .done)
            // The user may have logged out in the meantime.
            guard list?.source == source, let index = list?.todos.firstIndex(where: { $0.id == id }) else { return }
            list?.todos[index].completed = todo.completed
            showList()
            model.message = "\(todo.completed ? "Done" : "Reopened"): \(todo.title)"
        }
    }

    func returned(from route: String, result: SceneResult) async {
        guard route == TodoSettingsRoute.route, (try? result.decode(Bool.self)) == true else { return }
        model.message = "Saved the settings"
    }

    func select(_ id: Int) async {
        model.message = nil
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

    /// Runs an attempt. If it fails, shows an alert with the title.
    private func attempt(_ title: String, _ body: () async throws(ViperError) -> Void) async {
        do { try await body() } catch {
            let alert = Alert(title: title, message: error.description, actions: [TodoListAction.dismiss])
            if list == nil { model.state = .failed(alert) } else { showList(below: alert) }
        }
    }

    private func showList(below alert: Alert? = nil) {
        let note = list?.keptAt.map { "The server cannot be reached. This is the list of \($0)." }
        // Without network, nothing can be changed.
        let rows = (list?.todos ?? []).map { Self.row(of: $0, canChange: note == nil) }
        model.state = .loaded(rows, note: note, alert: alert)
    }

    private static func row(of todo: Todo, canChange: Bool) -> Row {
        var row = Row(id: todo.id, title: todo.title)
        (row.isChecked, row.tone) = (todo.completed, todo.completed ? .muted : nil)
        if canChange { row.actions = [Action(todo.completed ? TodoListAction.reopen : .done)] }
        return row
    }
}
