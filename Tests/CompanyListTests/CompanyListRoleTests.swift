import Synchronization
import Testing
import ViperKit
import ViperTesting

@testable import CompanyList

private let ada = Person(id: "a", first: "Ada", last: "Lovelace", company: "beta", balance: "$36.00")
private let bob = Person(id: "b", first: "Bob", last: "Stone", company: "Acme", balance: "$1.00")
private let cy = Person(id: "c", first: "Cy", last: "Young", company: "beta", balance: "-")

struct PersonTests {
    @Test("A person is decoded from the displayed fields, and other fields are ignored")
    func decoding() async throws {
        let text = """
            {"age": 1, "_id": "a", "company": "beta", "name": {"last": "Lovelace", "first": "Ada"}, "balance": "$36.00"}
            """
        let person = try await FakeFileReader(["p": text]).decode(Person.self, from: "p")
        #expect(person == ada)
    }
}

struct CompanyListInteractorTests {
    @Test("The interactor returns the people of company.json in file order")
    func order() async throws {
        let file = """
            [{"_id": "a", "name": {"first": "Ada", "last": "Lovelace"}, "company": "beta", "balance": "$36.00"},
             {"_id": "b", "name": {"first": "Bob", "last": "Stone"}, "company": "Acme", "balance": "$1.00"}]
            """
        let interactor = CompanyListInteractor(files: FakeFileReader(["company.json": file]))
        #expect(try await interactor.people() == [ada, bob])
    }

    @Test("Two people with the same id are an error that names the id")
    func duplicateID() async {
        let twin = #"{"_id": "a", "name": {"first": "A", "last": "B"}, "company": "C", "balance": "1"}"#
        let interactor = CompanyListInteractor(files: FakeFileReader(["company.json": "[\(twin), \(twin)]"]))
        await #expect {
            try await interactor.people()
        } throws: {
            ($0 as? ViperError)?.cause == "two people have the _id \"a\""
        }
    }

    @Test("The interactor passes on file errors")
    func failure() async {
        let denied = ViperError(
            .fileDenied, operation: "cannot read file", subject: "company.json", cause: "a link leads out")
        let interactor = CompanyListInteractor(files: FakeFileReader(failing: "company.json", with: denied))
        await #expect(throws: denied) { try await interactor.people() }
    }
}

@MainActor
struct CompanyListPresenterTests {
    private struct Interactor: CompanyListInteracting {
        var result: Result<[Person], ViperError>
        func people() async throws(ViperError) -> [Person] { try result.get() }
    }

    /// An interactor that fails until `succeed` is called.
    private final class ChangingInteractor: CompanyListInteracting {
        private let isWorking = Mutex(false)
        func succeed() { isWorking.withLock { $0 = true } }
        func people() async throws(ViperError) -> [Person] {
            if isWorking.withLock({ $0 }) { return [ada] }
            throw ViperError(
                .fileUnreadable, operation: "cannot read file", subject: "company.json", cause: "of the test")
        }
    }

    private final class Spy: CompanyListViewing {
        var calls: [String] = []
        var sections: [Section] = []
        var alert: Alert?
        func showLoading(_ text: String) { calls.append(text) }
        func show(_ sections: [Section]) { (self.sections, calls) = (sections, calls + ["sections"]) }
        func show(_ alert: Alert?) { (self.alert, calls) = (alert, calls + ["alert"]) }
    }

    private final class Exit: CompanyListNavigating {
        var closes = 0
        var opened: [String] = []
        var failure: ViperError?
        func openPerson(_ id: String) async throws(ViperError) {
            opened.append(id)
            if let failure { throw failure }
        }
        func close() async { closes += 1 }
    }

    private func loaded(_ result: Result<[Person], ViperError>) async -> Spy {
        let presenter = CompanyListPresenter(interactor: Interactor(result: result), wireframe: Exit())
        let spy = Spy()
        presenter.view = spy
        await presenter.load()
        return spy
    }

    @Test("Companies sort alphabetically without regard to case, and people keep their order")
    func grouping() async {
        let spy = await loaded(.success([ada, bob, cy]))
        #expect(spy.calls == ["Reading the people", "Sorting the people", "sections"])
        #expect(
            spy.sections == [
                Section(title: "Acme", rows: [Row(id: "b", title: "Bob Stone", detail: "$1.00")]),
                Section(
                    title: "beta",
                    rows: [
                        Row(id: "a", title: "Ada Lovelace", detail: "$36.00"),
                        Row(id: "c", title: "Cy Young", detail: "-"),
                    ]),
            ])
    }

    @Test(
        "No people, a missing file and an empty file show that there is no content",
        arguments: [nil, .fileMissing, .fileEmpty] as [ViperError.Code?])
    func noContent(code: ViperError.Code?) async {
        let error = code.map {
            ViperError($0, operation: "cannot read file", subject: "company.json", cause: "of the test")
        }
        let spy = await loaded(error.map(Result.failure) ?? .success([]))
        #expect(
            spy.calls
                == ["Reading the people"] + (code == nil ? ["Sorting the people"] : []) + ["alert"])
        #expect(spy.alert == Alert(title: "No content to show", message: nil, actions: [CompanyListAction.close]))
    }

    @Test("Any other failure shows the description of the error, with actions to retry and close")
    func failure() async {
        let error = ViperError(
            .fileMalformed, operation: "cannot read file", subject: "company.json:3:7", cause: "no value",
            notes: [.init("at", "$[0]")],
            fix: "write one")
        let spy = await loaded(.failure(error))
        #expect(spy.alert?.title == "Cannot read the list")
        #expect(spy.alert?.message == error.description)
        #expect(spy.alert?.actions == [Action(CompanyListAction.retry), Action(CompanyListAction.close)])
    }

    @Test("Retrying after a failure reads the list again")
    func retry() async {
        let interactor = ChangingInteractor()
        let presenter = CompanyListPresenter(interactor: interactor, wireframe: Exit())
        let spy = Spy()
        presenter.view = spy
        await presenter.load()
        interactor.succeed()
        await presenter.press(.retry)
        #expect(
            spy.calls == [
                "Reading the people", "alert", "Reading the people", "Sorting the people", "sections",
            ])
    }

    @Test("Selecting a row opens the person with that id, and an unknown row does nothing")
    func selecting() async {
        let exit = Exit()
        let presenter = CompanyListPresenter(interactor: Interactor(result: .success([ada, bob, cy])), wireframe: exit)
        await presenter.select("c")
        #expect(exit.opened == [])
        await presenter.load()
        for row in ["c", "d", "C", "0", "", "nobody"] { await presenter.handle(.select(row: row)) }
        #expect(exit.opened == ["c"])
    }

    @Test("If the person cannot be opened, the list shows the error until it is dismissed")
    func failingToSelect() async {
        let exit = Exit()
        let failure = ViperError(
            .serviceMissing, operation: "cannot open route", subject: "person", cause: "of the test", fix: "provide it")
        exit.failure = failure
        let presenter = CompanyListPresenter(interactor: Interactor(result: .success([ada])), wireframe: exit)
        let spy = Spy()
        presenter.view = spy
        await presenter.load()
        await presenter.select("a")
        #expect(spy.alert?.message == failure.description)
        #expect(spy.alert?.actions == [Action(CompanyListAction.dismiss)])
        await presenter.press(.dismiss)
        #expect(spy.alert == nil && exit.closes == 0)
    }

    @Test("The close action closes the scene, and an unknown action does nothing")
    func close() async {
        let exit = Exit()
        let presenter = CompanyListPresenter(interactor: Interactor(result: .success([])), wireframe: exit)
        await presenter.handle(.press(action: "other"))
        #expect(exit.closes == 0)
        await presenter.press(.close)
        #expect(exit.closes == 1)
    }
}

@MainActor
struct CompanyListViewTests {
    private final class Spy: CompanyListPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: CompanyListAction) async { calls.append("press \(action)") }
        func select(_ row: String) async { calls.append("select \(row)") }
    }

    @Test("The view forwards loading, presses and selections, and ignores other events")
    func events() async {
        let spy = Spy()
        let view = CompanyListView(presenter: spy)
        await view.load()
        await view.handle(.press(action: "close"))
        await view.handle(.select(row: "1"))
        await view.handle(.fill(field: "name", text: "Ada"))
        #expect(spy.calls == ["load", "press close", "select 1"])
    }

    @Test("The view shows loading, sections and alerts")
    func showing() {
        let view = CompanyListView(presenter: Spy())
        let sections = [Section(rows: [Row(id: "0", title: "Ada")])]
        view.showLoading("Reading")
        #expect(view.screen.isLoading && view.screen.progress == Screen.Progress(text: "Reading"))
        view.show(sections)
        #expect(view.screen.sections == sections && !view.screen.isLoading && view.screen.progress == nil)
        view.showLoading("Reading")
        #expect(view.screen.sections.isEmpty)
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No" && !view.screen.isLoading && view.screen.progress == nil)
        #expect(view.screen.title == "People by company")
    }
}

@MainActor
struct CompanyListWireframeTests {
    @Test("The wireframe closes its scene")
    func close() async {
        let navigator = RecordingNavigator()
        await CompanyListWireframe(navigator: navigator).close()
        #expect(navigator.calls == [.close(result: nil)])
    }

    @Test("The wireframe pushes the person's route")
    func person() async throws {
        let navigator = RecordingNavigator()
        try await CompanyListWireframe(navigator: navigator).openPerson("a")
        #expect(navigator.calls == [.open(route: "person", parameters: ["id": .string("a")], transition: .push)])
    }

    @Test("An assembled view loads through its roles")
    func assembly() async {
        let view = CompanyListWireframe.assemble(files: FakeFileReader([:]), navigator: RecordingNavigator())
        await view.load()
        #expect(view.screen.alert?.title == "No content to show")
    }
}
