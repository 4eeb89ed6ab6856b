import HostDriver
import Observation
import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Todo

private let open = Todo(id: 7, userId: 1, title: "delectus", completed: false)
private let done = Todo(id: 8, userId: 2, title: "quis ut", completed: true)
private let failure = ViperError(
    .httpFailed, operation: "cannot GET", subject: "http://test/todos", cause: "of the test",
    notes: [.init("response", "sorry")],
    fix: "ask again")

private func row(_ todo: Todo, canChange: Bool = true) -> Row {
    var row = Row(id: todo.id, title: todo.title)
    (row.isChecked, row.tone) = (todo.completed, todo.completed ? .muted : nil)
    if canChange { row.actions = [Action(todo.completed ? TodoListAction.reopen : .done)] }
    return row
}

private let testSource = TodoSource(baseURL: "http://test", userName: "ada")

private func list(_ todos: [Todo], keptAt: String? = nil) -> TodoList {
    TodoList(source: testSource, todos: todos, keptAt: keptAt)
}

struct TodoListInteractorTests {
    private struct Service: TodoService {
        var result: Result<[Todo], ViperError> = .success([done, open])
        func source() async throws(ViperError) -> TodoSource { testSource }
        func all() async throws(ViperError) -> TodoList { list(try result.get()) }
        func todo(_ id: Int) async throws(ViperError) -> Todo { throw failure }
        func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo { throw failure }
    }

    private let store = FakeTodoStore()

    private func todos(_ result: Result<[Todo], ViperError>) async throws(ViperError) -> TodoList {
        try await TodoListInteractor(service: Service(result: result), kept: KeptTodos(store: store)).todos()
    }

    private func keep(_ list: TodoList) async throws { try await store.write(list, to: "todos.json") }

    @Test("The interactor returns all todos in order")
    func all() async throws {
        try await keep(list([open], keptAt: "then"))
        #expect(try await todos(.success([done, open])) == list([done, open]))
    }

    @Test("Without network, the interactor returns the kept list")
    func kept() async throws {
        await #expect(throws: failure) { try await todos(.failure(failure)) }
        try await keep(list([open], keptAt: "then"))
        #expect(try await todos(.failure(failure)) == list([open], keptAt: "then"))
        try await keep(TodoList(source: TodoSource(baseURL: "http://test", userName: "bob"), todos: [open]))
        await #expect(throws: failure) { try await todos(.failure(failure)) }
    }

    @Test("A response of the server is never replaced by the kept list")
    func response() async throws {
        try await keep(list([open], keptAt: "then"))
        var other = failure
        other.code = .httpStatusUnexpected
        await #expect(throws: other) { try await todos(.failure(other)) }
    }

    @Test("A kept list that cannot be read is noted below the reason of the failure")
    func damaged() async {
        store.put("[", as: "todos.json")
        let error = await #expect(throws: ViperError.self) { try await todos(.failure(failure)) }
        #expect(error?.summary == failure.summary && error?.notes.last?.label == "kept list", "\(error as Any)")
    }
}

@MainActor
@Suite(.hangLimit)
struct TodoListPresenterTests {
    private final class Interactor: TodoListInteracting {
        let results: AsyncStream<Result<[Todo], ViperError>>
        let answer: AsyncStream<Result<[Todo], ViperError>>.Continuation

        let current = Mutex(testSource)

        init() { (results, answer) = AsyncStream.makeStream() }

        func source() async throws(ViperError) -> TodoSource { current.withLock { $0 } }

        func todos() async throws(ViperError) -> TodoList {
            for await result in results { return TodoList(source: current.withLock { $0 }, todos: try result.get()) }
            throw failure
        }
    }

    /// The server's part of a completion.
    private final class Completion: TodoCompleting {
        let calls = Mutex<[String]>([])
        let error = Mutex<ViperError?>(nil)
        /// Called while the server works.
        let interruption = Mutex<(@Sendable () async -> Void)?>(nil)

        func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo {
            calls.withLock { $0.append("\(id) \(isDone)") }
            await interruption.withLock { $0 }?()
            if let error = error.withLock({ $0 }) { throw error }
            return Todo(id: id, userId: 1, title: "of the server", completed: isDone)
        }
    }

    private final class Exit: TodoListNavigating {
        var opened: [Int] = []
        var settings = 0
        var error: ViperError?
        func openTodo(_ id: Int) async throws(ViperError) {
            opened.append(id)
            if let error { throw error }
        }
        func openSettings() async throws(ViperError) {
            settings += 1
            if let error { throw error }
        }
    }

    private let interactor = Interactor()
    private let exit = Exit()
    private let completion = Completion()
    private let model = TodoListViewModel()
    private let environment = TodoEnvironment.test(pageSize: 2)

    private var presenter: TodoListPresenter {
        TodoListPresenter(
            model: model, environment: environment, interactor: interactor, completion: completion, wireframe: exit)
    }

    @Test("Loaded todos become rows with their state")
    func rows() async {
        interactor.answer.yield(.success([open, done]))
        await presenter.load()
        #expect(
            model.state
                == .loaded([row(open), row(done)]))
    }

    @Test("A retry after a failure sets the model to loading, then to the result")
    func loading() async {
        interactor.answer.yield(.failure(failure))
        await presenter.load()
        let alert = Alert(
            title: "Cannot get the todos", message: failure.description, actions: [TodoListAction.retry])
        #expect(model.state == .failed(alert))
        let presenter = presenter
        let retrying = Task { await presenter.press(.retry) }
        #expect(await eventually { model.state == .loading })
        interactor.answer.yield(.success([]))
        await retrying.value
        #expect(model.state == .loaded([]))
    }

    @Test("Selecting a row opens its todo, and an unknown row does nothing")
    func select() async {
        let presenter = presenter
        await presenter.select(7)
        interactor.answer.yield(.success([open, done, open]))
        await presenter.load()
        for row in ["7", "+7", "9", "", "seven"] { await presenter.handle(.select(row: row)) }
        #expect(exit.opened == [7])
    }

    @Test("If a todo cannot be opened, the list stays below the error until it is dismissed")
    func failingToSelect() async {
        let presenter = presenter
        interactor.answer.yield(.success([open]))
        await presenter.load()
        let error = ViperError(
            .navigationTooDeep, operation: "cannot open route", subject: "todo", cause: "of the test", fix: "close one")
        exit.error = error
        await presenter.select(7)
        let rows = [row(open)]
        let alert = Alert(
            title: "Cannot show the todo", message: error.description, actions: [TodoListAction.dismiss])
        #expect(model.state == .loaded(rows, alert: alert))
        await presenter.press(.dismiss)
        #expect(model.state == .loaded(rows))
    }

    @Test("Without a list, an error of the navigation does not show an empty one, and dismissing reads again")
    func failingWithoutList() async {
        let presenter = presenter
        interactor.answer.yield(.failure(failure))
        await presenter.load()
        exit.error = failure
        await presenter.press(.settings)
        let alert = Alert(
            title: "Cannot show the settings", message: failure.description, actions: [TodoListAction.dismiss])
        #expect(model.state == .failed(alert) && exit.settings == 1)
        interactor.answer.yield(.success([]))
        await presenter.press(.dismiss)
        #expect(model.state == .loaded([]))
    }

    @Test("A row's action marks the todo as done, or as open again, and tells so until the next event")
    func completing() async {
        let presenter = presenter
        interactor.answer.yield(.success([open, done]))
        await presenter.load()
        await presenter.handle(.act(row: "7", action: "done"))
        await presenter.handle(.act(row: "8", action: "reopen"))
        var rows = [open, done]
        (rows[0].completed, rows[1].completed) = (true, false)
        #expect(model.state == .loaded(rows.map { row($0) }))
        #expect(completion.calls.withLock { $0 } == ["7 true", "8 false"])
        #expect(model.message == "Reopened: of the server")
        await presenter.press(.more)
        #expect(model.message == nil && model.pages == 2)
    }

    @Test("A todo that cannot be changed stays, below the error")
    func failingToComplete() async {
        let presenter = presenter
        interactor.answer.yield(.success([open]))
        await presenter.load()
        completion.error.withLock { $0 = failure }
        await presenter.act(.done, on: 7)
        let alert = Alert(
            title: "Cannot change the todo", message: failure.description, actions: [TodoListAction.dismiss])
        #expect(model.state == .loaded([row(open)], alert: alert) && model.message == nil)
    }

    @Test("A change that the server has made for one user is not shown in the list of another one")
    func completingForAnother() async {
        let presenter = presenter
        interactor.answer.yield(.success([open]))
        await presenter.load()
        let interactor = interactor
        completion.interruption.withLock { interruption in
            interruption = {
                interactor.current.withLock { $0.userName = "bob" }
                interactor.answer.yield(.success([open]))
                await presenter.press(.refresh)
            }
        }
        await presenter.act(.done, on: 7)
        #expect(model.state == .loaded([row(open)]) && model.message == nil)
    }

    @Test("The list tells that settings were saved, and not that the form was closed", arguments: [true, false])
    func saved(isSaved: Bool) async throws {
        await presenter.returned(from: "todos/settings", result: try TestResult.of(isSaved))
        #expect(model.message == (isSaved ? "Saved the settings" : nil))
    }

    @Test("The list of another server is read when a user names it, and an older response does not replace it")
    func otherServer() async throws {
        let presenter = presenter
        interactor.answer.yield(.success([open]))
        await presenter.load()
        try await environment.choose(TodoSettings(baseURL: "http://other", pageSize: 2))
        #expect(await eventually { model.state == .loading })
        interactor.answer.yield(.success([done]))
        let rows = [row(done)]
        #expect(await eventually { model.state == .loaded(rows) })
        withExtendedLifetime(presenter) {}
    }

    @Test(
        "An event after a user has logged in or out reads the list again, and is not applied to the list of another user",
        arguments: ["bob", nil])
    func otherUser(name: String?) async {
        let presenter = presenter
        interactor.answer.yield(.success([open, done, open]))
        await presenter.load()
        let events: [Event] = [
            .press(action: "more"), .press(action: "dismiss"), .select(row: "7"), .act(row: "7", action: "done"),
        ]
        for (index, event) in events.enumerated() {
            interactor.current.withLock { $0.userName = index % 2 == 1 ? "ada" : name }
            interactor.answer.yield(.success([done]))
            await presenter.handle(event)
            #expect(model.state == .loaded([row(done)]))
        }
        #expect(model.pages == 1 && exit.opened == [] && completion.calls.withLock { $0 } == [])
        await presenter.select(8)
        #expect(exit.opened == [8])
    }

    @Test("A kept list is marked as such")
    func kept() async {
        struct Offline: TodoListInteracting {
            func source() async throws(ViperError) -> TodoSource { testSource }
            func todos() async throws(ViperError) -> TodoList { list([open], keptAt: "then") }
        }
        let presenter = TodoListPresenter(
            model: model, environment: environment, interactor: Offline(), completion: completion, wireframe: exit)
        await presenter.load()
        let rows = [row(open, canChange: false)]
        #expect(model.state == .loaded(rows, note: "The server cannot be reached. This is the list of then."))
    }

    @Test("An unknown action changes nothing")
    func otherAction() async {
        model.state = .loaded([])
        await presenter.handle(.press(action: "close"))
        #expect(model.state == .loaded([]))
    }
}

@MainActor
@Suite(.hangLimit)
struct TodoListViewTests {
    private final class Spy: TodoListPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: TodoListAction) async { calls.append("press \(action)") }
        func select(_ row: Int) async { calls.append("select \(row)") }
        func act(_ action: TodoListAction, on row: Int) async { calls.append("\(action) \(row)") }
    }

    private let spy = Spy()
    private let model = TodoListViewModel()

    private let environment = TodoEnvironment.test(pageSize: 2)

    private var view: TodoListView { TodoListView(environment: environment, model: model, presenter: spy) }

    @Test("The view forwards loading, presses and selections, and ignores other events")
    func events() async {
        let view = view
        await view.load()
        await view.handle(.press(action: "retry"))
        await view.handle(.select(row: "7"))
        await view.handle(.act(row: "7", action: "done"))
        await view.handle(.fill(field: "x", text: "y"))
        #expect(spy.calls == ["load", "press retry", "select 7", "done 7"])
    }

    @Test("The screen shows the view model's state under the environment's title")
    func screen() {
        var expected = Screen(title: "Todos")
        expected.isLoading = true
        #expect(view.screen == expected)
        let actions = [Action(TodoListAction.refresh), Action(TodoListAction.settings)]
        model.state = .loaded([])
        (expected.isLoading, expected.emptyText, expected.actions) = (false, "Nothing to do", actions)
        #expect(view.screen == expected)
        model.state = .loaded([row(open)])
        expected.emptyText = nil
        expected.sections = [Section(rows: [row(open)])]
        #expect(view.screen == expected)
        expected.alert = Alert(title: "No", message: "of the test", actions: [Action(id: "x", title: "X")])
        model.state = .loaded(expected.sections[0].rows, alert: expected.alert)
        #expect(view.screen == expected)
        model.state = .failed(Alert(title: "No", message: "of the test", actions: [Action(id: "x", title: "X")]))
        (expected.sections, expected.actions) = ([], [Action(TodoListAction.settings)])
        #expect(view.screen == expected)
    }

    @Test("The screen shows the pages of the model, and offers the next one")
    func pages() {
        model.state = .loaded((1...5).map { Row(id: $0, title: "Todo") }, note: "Kept")
        func shown() -> [String] { view.screen.sections.flatMap(\.rows).map(\.id) }
        func status() -> String? { view.screen.sections.first?.more?.status }
        #expect(shown() == ["1", "2"] && status() == "2 of 5" && view.screen.text == "Kept")
        model.pages = 2
        #expect(shown() == ["1", "2", "3", "4"] && status() == "4 of 5")
        model.pages = 3
        #expect(shown() == ["1", "2", "3", "4", "5"] && status() == nil)
    }

    @Test("A change of the page's size changes the screen")
    func pageSize() async throws {
        model.state = .loaded((1...5).map { Row(id: $0, title: "Todo") })
        let view = view
        var pages = Observations { view.screen.sections.first?.more?.status ?? "all" }.makeAsyncIterator()
        #expect(await pages.next() == "2 of 5")
        try await environment.choose(TodoSettings(baseURL: "http://test", pageSize: 1))
        #expect(await pages.next() == "1 of 5")
        try await environment.choose(TodoSettings(baseURL: "http://test", pageSize: 5))
        #expect(await pages.next() == "all")
    }

    @Test("A change of the view model is observed as a change of the screen")
    func observed() async throws {
        let view = view
        let titles = Observations { view.screen.alert?.title ?? "none" }
        var seen = titles.makeAsyncIterator()
        #expect(await seen.next() == "none")
        model.state = .failed(Alert(title: "No", message: nil, actions: []))
        #expect(await seen.next() == "No")
    }
}

@MainActor
struct TodoListWireframeTests {
    @Test("The wireframe pushes the todo with its id")
    func openTodo() async throws {
        let navigator = RecordingNavigator()
        try await TodoListWireframe(navigator: navigator).openTodo(7)
        #expect(navigator.calls == [.open(route: "todo", parameters: ["id": .integer(7)], transition: .push)])
    }

    @Test("The wireframe pushes the settings")
    func openSettings() async throws {
        let navigator = RecordingNavigator()
        try await TodoListWireframe(navigator: navigator).openSettings()
        #expect(navigator.calls == [.open(route: "todos/settings", parameters: [:], transition: .push)])
    }
}
