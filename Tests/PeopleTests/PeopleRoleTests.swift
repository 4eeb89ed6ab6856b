import HostDriver
import Synchronization
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
        func remove(_ person: Person) async throws(ViperError) {}
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

/// The names of the people that an interactor was asked to remove.
private final class RemovedPeople: Sendable {
    private let all = Mutex<[String]>([])
    var names: [String] { all.withLock { $0 } }
    func add(_ name: String) { all.withLock { $0.append(name) } }
}

@MainActor
struct PeoplePresenterTests {
    private struct Interactor: PeopleInteracting {
        var result: Result<[Person], ViperError> = .success([])
        var observers = CollectionObservers()
        var refusal: ViperError?
        let removed = RemovedPeople()
        func remove(_ person: Person) async throws(ViperError) {
            if let refusal { throw refusal }
            removed.add(person.name)
        }
        func changes() -> AsyncStream<CollectionChange> { observers.changes(in: "people") }
        func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
            try result.get().filter { $0.age > age ?? 0 }
        }
    }

    private final class Spy: PeopleViewing {
        var calls: [String] = []
        var alert: Alert?
        func showLoading() { calls.append("loading") }
        var messages: [String?] = []
        var searches: [String?] = []
        func show(_ people: Section, search: String?, emptyText: String) {
            searches.append(search)
            calls.append(people.rows.isEmpty ? emptyText : people.rows.map(\.title).joined(separator: ", "))
        }
        func show(message: String?) { messages.append(message) }
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
        var opened: [String] = []
        func show(_ person: Person) async throws(ViperError) {
            opened.append("details of \(person.name)")
            if let failure { throw failure }
        }
        func confirmRemoval(of person: Person) async throws(ViperError) {
            opened.append("removal of \(person.name)")
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

    /// An interactor whose first read ends when the second one does.
    private final class OvertakenInteractor: PeopleInteracting {
        private let (ended, end) = AsyncStream.makeStream(of: Void.self)
        private let reads = Mutex(0)
        var count: Int { reads.withLock { $0 } }
        func remove(_ person: Person) async throws(ViperError) {}
        func changes() -> AsyncStream<CollectionChange> { AsyncStream { $0.finish() } }
        func people(olderThan age: Int?) async throws(ViperError) -> [Person] {
            let number = reads.withLock { reads in
                reads += 1
                return reads
            }
            if number > 1 {
                end.finish()
                return [ada]
            }
            for await _ in ended {}
            return [ada, bob]
        }
    }

    @Test("A read that another one has overtaken ends when the newer people are shown", .hangLimit)
    func overtaken() async {
        for _ in 0..<100 {
            let (spy, interactor) = (Spy(), OvertakenInteractor())
            let presenter = PeoplePresenter(olderThan: nil, interactor: interactor, wireframe: exit)
            presenter.view = spy
            let first = Task {
                await presenter.load()
                return spy.calls.last
            }
            while interactor.count == 0 { await Task.yield() }
            await presenter.press(.retry)
            #expect(await first.value == "Ada - 36")
        }
    }

    @Test("A selected person is shown elsewhere, and removed only after a confirmation")
    func removing() async throws {
        let interactor = Interactor(result: .success([ada, bob]))
        let presenter = PeoplePresenter(olderThan: nil, interactor: interactor, wireframe: exit)
        presenter.view = spy
        await presenter.load()
        await presenter.select("nobody")
        await presenter.returned(from: "details", result: try TestResult.of("remove"))
        #expect(exit.opened == [])
        await presenter.select("2")
        await presenter.returned(from: "details", result: try TestResult.of("other"))
        #expect(exit.opened == ["details of Bob"])
        await presenter.returned(from: "details", result: try TestResult.of("remove"))
        #expect(exit.opened == ["details of Bob", "removal of Bob"])
        await presenter.returned(from: "alert", result: try TestResult.of(false))
        await presenter.returned(from: "alert", result: try TestResult.of("yes"))
        #expect(interactor.removed.names == [])
        await presenter.returned(from: "alert", result: try TestResult.of(true))
        #expect(interactor.removed.names == ["Bob"])
    }

    @Test("What cannot be opened or removed is shown")
    func failures() async throws {
        let error = ViperError(.recordMissing, operation: "cannot remove", subject: "2", cause: "of the test")
        let presenter = PeoplePresenter(
            olderThan: nil, interactor: Interactor(result: .success([ada]), refusal: error), wireframe: exit)
        presenter.view = spy
        await presenter.load()
        exit.failure = error
        await presenter.select("1")
        #expect(spy.alert?.title == "Cannot show Ada" && spy.alert?.message == error.description)
        await presenter.returned(from: "details", result: try TestResult.of("remove"))
        #expect(spy.alert?.title == "Cannot ask whether to remove Ada")
        await presenter.returned(from: "alert", result: try TestResult.of(true))
        #expect(spy.alert?.title == "Cannot remove Ada")
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
        func select(_ id: String) async { calls.append("select \(id)") }
        func fill(_ field: PeopleField, with text: String) async { calls.append("fill \(field)=\(text)") }
        func returned(from route: String, result: SceneResult) async { calls.append("returned \(route)") }
    }

    @Test("The view forwards loading, presses and returned results, and ignores other events")
    func events() async throws {
        let spy = Spy()
        let view = PeopleView(presenter: spy)
        await view.load()
        await view.handle(.press(action: "add"))
        await view.handle(.select(row: "1"))
        await view.handle(.fill(field: "search", text: "a"))
        await view.handle(.returned(from: "people/add", result: try TestResult.of(ada)))
        #expect(spy.calls == ["load", "press add", "select 1", "fill search=a", "returned people/add"])
    }

    @Test("The view shows loading, rows, an empty list and alerts")
    func showing() {
        let view = PeopleView(presenter: Spy())
        view.showLoading()
        #expect(view.screen.isLoading)
        view.show(Section(rows: []), search: nil, emptyText: "Nobody yet")
        #expect(view.screen.emptyText == "Nobody yet" && view.screen.sections.isEmpty && !view.screen.isLoading)
        #expect(view.screen.emptyAction == Action(PeopleAction.add) && view.screen.actions.isEmpty)
        view.show(Section(rows: [Row(id: "1", title: "Ada - 36")]), search: "a", emptyText: "Nobody yet")
        #expect(view.screen.emptyText == nil && view.screen.sections.count == 1 && view.screen.emptyAction == nil)
        #expect(view.screen.form?.fields.map(\.value) == ["a"])
        view.show(message: "Added")
        #expect(view.screen.message == "Added")
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

    @Test("The wireframe pushes the details and presents the question, which other modules provide")
    func others() async throws {
        let navigator = RecordingNavigator()
        try await PeopleWireframe(navigator: navigator).show(ada)
        try await PeopleWireframe(navigator: navigator).confirmRemoval(of: ada)
        let details: [String: ParameterValue] = [
            "title": .string("Ada"), "labels": .array([.string("Age")]), "values": .array([.string("36")]),
            "actions": .array([.string("remove")]),
        ]
        let question: [String: ParameterValue] = [
            "title": .string("Remove Ada?"), "message": .string("This cannot be undone."), "confirm": .string("Remove"),
            "destructive": .boolean(true),
        ]
        #expect(
            navigator.calls == [
                .open(route: "details", parameters: details, transition: .push),
                .open(route: "alert", parameters: question, transition: .present),
            ])
    }
}
