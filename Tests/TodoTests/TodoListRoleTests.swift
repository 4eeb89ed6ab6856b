import HostDriver
import Observation
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

struct TodoListInteractorTests {
    private struct Service: TodoService {
        func all() async throws(ViperError) -> [Todo] { [done, open] }
        func todo(_ id: Int) async throws(ViperError) -> Todo { throw failure }
    }

    @Test("The interactor returns all todos in order")
    func all() async throws {
        #expect(try await TodoListInteractor(service: Service()).todos() == [done, open])
    }
}

@MainActor
@Suite(.hangLimit)
struct TodoListPresenterTests {
    private final class Interactor: TodoListInteracting {
        let results: AsyncStream<Result<[Todo], ViperError>>
        let answer: AsyncStream<Result<[Todo], ViperError>>.Continuation

        init() { (results, answer) = AsyncStream.makeStream() }

        func todos() async throws(ViperError) -> [Todo] {
            for await result in results { return try result.get() }
            throw failure
        }
    }

    private final class Exit: TodoListNavigating {
        var opened: [Int] = []
        var error: ViperError?
        func openTodo(_ id: Int) async throws(ViperError) {
            opened.append(id)
            if let error { throw error }
        }
    }

    private let interactor = Interactor()
    private let exit = Exit()
    private let model = TodoListViewModel()

    private var presenter: TodoListPresenter {
        TodoListPresenter(model: model, interactor: interactor, wireframe: exit)
    }

    @Test("Loaded todos become rows with their state")
    func rows() async {
        interactor.answer.yield(.success([open, done]))
        await presenter.load()
        #expect(
            model.state
                == .loaded([
                    Row(id: "7", title: "delectus", detail: "open"), Row(id: "8", title: "quis ut", detail: "done"),
                ]))
    }

    @Test("A retry after a failure sets the model to loading, then to the result")
    func loading() async {
        interactor.answer.yield(.failure(failure))
        await presenter.load()
        let retry = Action(id: "retry", title: "Retry")
        let alert = Alert(title: "Cannot get the todos", message: failure.description, actions: [retry])
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
        let rows = [Row(id: "7", title: "delectus", detail: "open")]
        let dismiss = Action(id: "dismiss", title: "Back to the list")
        let alert = Alert(title: "Cannot show the todo", message: error.description, actions: [dismiss])
        #expect(model.state == .loaded(rows, alert: alert))
        await presenter.press(.dismiss)
        #expect(model.state == .loaded(rows))
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
    }

    private let spy = Spy()
    private let model = TodoListViewModel()

    private var view: TodoListView {
        TodoListView(environment: TodoEnvironment(title: "Shared"), model: model, presenter: spy)
    }

    @Test("The view forwards loading, presses and selections, and ignores other events")
    func events() async {
        let view = view
        await view.load()
        await view.handle(.press(action: "retry"))
        await view.handle(.select(row: "7"))
        await view.handle(.fill(field: "x", text: "y"))
        #expect(spy.calls == ["load", "press retry", "select 7"])
    }

    @Test("The screen shows the view model's state under the environment's title")
    func screen() {
        var expected = Screen(title: "Shared")
        expected.isLoading = true
        #expect(view.screen == expected)
        model.state = .loaded([])
        expected.isLoading = false
        expected.emptyText = "Nothing to do"
        #expect(view.screen == expected)
        model.state = .loaded([Row(id: "7", title: "delectus", detail: "open")])
        expected.emptyText = nil
        expected.sections = [Section(rows: [Row(id: "7", title: "delectus", detail: "open")])]
        #expect(view.screen == expected)
        expected.alert = Alert(title: "No", message: "of the test", actions: [Action(id: "x", title: "X")])
        model.state = .loaded(expected.sections[0].rows, alert: expected.alert)
        #expect(view.screen == expected)
        model.state = .failed(Alert(title: "No", message: "of the test", actions: [Action(id: "x", title: "X")]))
        expected.sections = []
        #expect(view.screen == expected)
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
}
