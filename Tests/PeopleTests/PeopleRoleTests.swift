import HostDriver
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import People

private let ada = Person(id: "1", name: "Ada", age: 36)
private let bob = Person(id: "2", name: "Bob", age: 18)

struct PeopleInteractorTests {
    private struct Service: PersonService {
        func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
            [ada, bob].filter { $0.age > age ?? .min }
        }
        func create(name: String, age: Int) async throws(ViperError) -> Person { ada }
        func changes() -> AsyncStream<CollectionChange> { AsyncStream { $0.finish() } }
    }

    @Test(
        "The interactor returns people older than the given age, in order",
        arguments: [(nil, ["Ada", "Bob"]), (17, ["Ada", "Bob"]), (18, ["Ada"]), (36, []), (-1, ["Ada", "Bob"])]
            as [(Int?, [String])])
    func filter(age: Int?, names: [String]) async throws {
        let people = try await PeopleInteractor(service: Service()).people(olderThan: age)
        #expect(people.map(\.name) == names)
    }
}

@MainActor
struct PeoplePresenterTests {
    private struct Interactor: PeopleInteracting {
        var result: Result<[Person], ViperError> = .success([])
        var observers = CollectionObservers()
        func changes() -> AsyncStream<CollectionChange> { observers.changes(in: "people") }
        func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
            try result.get().filter { $0.age > age ?? 0 }
        }
    }

    private final class Spy: PeopleViewing {
        var calls: [String] = []
        var alert: Alert?
        func showLoading() { calls.append("loading") }
        func show(_ rows: [Row]) { calls.append(rows.map(\.title).joined(separator: ", ")) }
        func show(_ alert: Alert?) {
            self.alert = alert
            calls.append(alert?.title ?? "no alert")
        }
    }

    private final class Exit: PeopleNavigating {
        var adds = 0
        var failure: ViperError?
        func addPerson() async throws(ViperError) {
            adds += 1
            if let failure { throw failure }
        }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(
        olderThan age: Int? = nil, _ result: Result<[Person], ViperError> = .success([ada, bob])
    ) -> PeoplePresenter {
        let presenter = PeoplePresenter(olderThan: age, interactor: Interactor(result: result), wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("Rows show name and age of the people older than the route's parameter")
    func rows() async {
        await presenter().load()
        await presenter(olderThan: 18).load()
        #expect(spy.calls == ["loading", "Ada - 36, Bob - 18", "loading", "Ada - 36"])
    }

    @Test("If the people cannot be read, the list shows the error, which can be dismissed or retried")
    func failure() async {
        let error = ViperError(
            .storeFailed, operation: "cannot read", subject: "people", cause: "of the test",
            notes: [.init("response", "sorry")],
            fix: "ask again")
        let presenter = presenter(.failure(error))
        await presenter.load()
        #expect(spy.alert?.message == error.description)
        #expect(spy.alert?.actions == [Action(PeopleAction.retry), Action(PeopleAction.dismiss)])
        await presenter.press(.dismiss)
        #expect(spy.calls == ["loading", "Cannot read the people", "no alert"])
        await presenter.press(.retry)
        #expect(spy.calls.dropFirst(3) == ["loading", "Cannot read the people"])
    }

    @Test("Adding opens the form, or shows why the form cannot be opened")
    func adding() async {
        let presenter = presenter()
        await presenter.press(.add)
        #expect(exit.adds == 1 && spy.calls.isEmpty)
        let failure = ViperError(
            .navigationTooDeep, operation: "cannot open route", subject: "people/add", cause: "of the test",
            fix: "close one"
        )
        exit.failure = failure
        await presenter.press(.add)
        #expect(spy.alert?.title == "Cannot add anybody" && spy.alert?.message == failure.description)
    }

    @Test("A change reads the list again without showing progress, until the presenter is freed", .hangLimit)
    func changes() async throws {
        let observers = CollectionObservers()
        var presenter: PeoplePresenter? = PeoplePresenter(
            olderThan: nil, interactor: Interactor(result: .success([ada]), observers: observers), wireframe: exit)
        presenter?.view = spy
        await presenter?.load()
        await presenter?.load()
        observers.notifyObservers(of: ["people"])
        try #require(await eventually { spy.calls.count == 5 })
        #expect(spy.calls == ["loading", "Ada - 36", "loading", "Ada - 36", "Ada - 36"])
        presenter = nil
        #expect(await eventually { observers.observedCollections.isEmpty })
    }

    @Test("The list is read again only after the form returns")
    func returned() async throws {
        let presenter = presenter()
        await presenter.returned(from: "elsewhere", result: try TestResult.of(ada))
        #expect(spy.calls.isEmpty)
        await presenter.returned(from: "people/add", result: try TestResult.of(ada))
        #expect(spy.calls == ["loading", "Ada - 36, Bob - 18"])
    }
}

@MainActor
struct PeopleViewTests {
    private final class Spy: PeoplePresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: PeopleAction) async { calls.append("press \(action)") }
        func returned(from route: String, result: SceneResult) async { calls.append("returned \(route)") }
    }

    @Test("The view forwards loading, presses and returned results, and ignores other events")
    func events() async throws {
        let spy = Spy()
        let view = PeopleView(presenter: spy)
        await view.load()
        await view.handle(.press(action: "add"))
        await view.handle(.select(row: "1"))
        await view.handle(.returned(from: "people/add", result: try TestResult.of(ada)))
        #expect(spy.calls == ["load", "press add", "returned people/add"])
    }

    @Test("The view shows loading, rows, an empty list and alerts")
    func showing() {
        let view = PeopleView(presenter: Spy())
        view.showLoading()
        #expect(view.screen.isLoading)
        view.show([])
        #expect(view.screen.emptyText == "Nobody yet" && view.screen.sections.isEmpty && !view.screen.isLoading)
        view.show([Row(id: "1", title: "Ada - 36")])
        #expect(view.screen.emptyText == nil && view.screen.sections.count == 1)
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No" && view.screen.sections.count == 1)
        view.show(nil)
        #expect(view.screen.alert == nil)
        view.show(Alert(title: "No", message: nil, actions: []))
        view.showLoading()
        #expect(view.screen.alert == nil && view.screen.isLoading)
        #expect(view.screen.actions == [Action(PeopleAction.add)])
    }
}

@MainActor
struct PeopleWireframeTests {
    @Test("The wireframe pushes the form")
    func add() async throws {
        let navigator = RecordingNavigator()
        try await PeopleWireframe(navigator: navigator).addPerson()
        #expect(navigator.calls == [.open(route: "people/add", parameters: [:], transition: .push)])
    }
}
