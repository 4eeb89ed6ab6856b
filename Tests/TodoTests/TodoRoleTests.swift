import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Todo

private let todo = Todo(id: 7, userId: 3, title: "delectus", completed: true)
private let failure = ViperError(
    .httpStatusUnexpected, operation: "cannot GET", subject: "http://test/todos/7", cause: "of the test",
    notes: [.init("response", "sorry")],
    fix: "ask again")

struct TodoInteractorTests {
    private struct Service: TodoService {
        func source() async throws(ViperError) -> TodoSource { TodoSource(baseURL: "http://test") }
        func all() async throws(ViperError) -> TodoList { throw failure }
        func complete(_ id: Int, isDone: Bool) async throws(ViperError) -> Todo {
            Todo(id: id, userId: 0, title: "", completed: isDone)
        }
        func todo(_ id: Int) async throws(ViperError) -> Todo { Todo(id: id, userId: 0, title: "", completed: false) }
    }

    @Test("The interactor returns the requested todo")
    func one() async throws {
        #expect(try await TodoInteractor(service: Service()).todo(7).id == 7)
    }

    @Test("The interactor of the completion returns the changed todo")
    func completion() async throws {
        let todo = try await TodoCompletionInteractor(service: Service()).complete(7, isDone: true)
        #expect(todo.id == 7 && todo.completed)
    }
}

@MainActor
struct TodoPresenterTests {
    private struct Interactor: TodoInteracting {
        var result: Result<Todo, ViperError>
        func todo(_ id: Int) async throws(ViperError) -> Todo {
            #expect(id == 7)
            return try result.get()
        }
    }

    private final class Spy: TodoViewing {
        var calls: [String] = []
        func showLoading() { calls.append("loading") }
        func show(_ fields: [Row]) { calls += fields.map { "\($0.title)=\($0.detail ?? "")" } }
        func show(_ alert: Alert) { calls.append("\(alert.title): \(alert.message ?? "") \(alert.actions.map(\.id))") }
    }

    private final class Exit: TodoNavigating {
        var closes = 0
        func close() async { closes += 1 }
    }

    private let spy = Spy()
    private let exit = Exit()
    private let environment = TodoEnvironment.test()

    private func presenter(_ result: Result<Todo, ViperError>) -> TodoPresenter {
        let presenter = TodoPresenter(
            id: 7, environment: environment, interactor: Interactor(result: result), wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("The presenter shows loading, then a row for each field")
    func fields() async {
        await presenter(.success(todo)).load()
        #expect(spy.calls == ["loading", "Number=7", "Title=delectus", "Done=yes", "User=3"])
    }

    @Test("A failure shows the error, which can be retried or closed")
    func failing() async {
        let presenter = presenter(.failure(failure))
        await presenter.load()
        let alert = "Cannot get the todo: \(failure) [\"retry\", \"close\"]"
        #expect(spy.calls == ["loading", alert])
        await presenter.press(.retry)
        #expect(spy.calls == ["loading", alert, "loading", alert])
        await presenter.press(.close)
        #expect(exit.closes == 1)
    }

    @Test("The todo of another server is read when a user names it", .hangLimit)
    func otherServer() async throws {
        let presenter = presenter(.success(todo))
        await presenter.load()
        let shown = spy.calls
        try await environment.choose(TodoSettings(baseURL: "http://other", pageSize: 2))
        #expect(await eventually { spy.calls == shown + shown })
        withExtendedLifetime(presenter) {}
    }
}

@MainActor
struct TodoViewTests {
    private final class Spy: TodoPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: TodoAction) async { calls.append("press \(action)") }
    }

    @Test("The view forwards loading and presses, and ignores other events")
    func events() async {
        let spy = Spy()
        let view = TodoView(environment: .test(), presenter: spy)
        await view.load()
        await view.handle(.press(action: "close"))
        await view.handle(.select(row: "User"))
        #expect(spy.calls == ["load", "press close"])
    }

    @Test("The view shows fields, an alert or loading under the environment's title")
    func showing() {
        let view = TodoView(environment: .test(), presenter: Spy())
        #expect(view.screen == Screen(title: "Todos"))
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No" && view.screen.actions.isEmpty)
        view.showLoading()
        #expect(view.screen.isLoading && view.screen.alert == nil && view.screen.title == "Todos")
        view.show([Row(id: "User", title: "User", detail: "3")])
        #expect(!view.screen.isLoading && view.screen.sections.first?.rows.count == 1)
        #expect(view.screen.actions == [Action(TodoAction.close)])
    }
}

@MainActor
struct TodoWireframeTests {
    @Test("The wireframe closes its scene")
    func close() async {
        let navigator = RecordingNavigator()
        await TodoWireframe(navigator: navigator).close()
        #expect(navigator.calls == [.close(result: nil)])
    }
}
