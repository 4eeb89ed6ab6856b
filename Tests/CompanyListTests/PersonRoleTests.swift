import Testing
import ViperKit
import ViperTesting

@testable import CompanyList

// Each role of the detail alone: everything that it talks to is a fake.

private let ada = PersonDetail(
    id: "a", name: .init(first: "Ada", last: "Lovelace"), company: "beta", balance: nil, age: 36, eyeColor: nil,
    email: nil,
    phone: nil, address: "London", favoriteFruit: nil, isActive: true)

struct PersonDetailTests {
    @Test("a person is decoded with what the file has of them")
    func decoding() async throws {
        let text = """
            {"_id": "a", "name": {"first": "Ada", "last": "Lovelace"}, "company": "beta", "age": 36, "address": "London",
             "isActive": true, "guid": "x"}
            """
        #expect(try await FakeFileReader(["p": text]).decode(PersonDetail.self, from: "p") == ada)
    }
}

struct PersonInteractorTests {
    private let interactor = PersonInteractor(
        files: FakeFileReader([
            "company.json": """
            [{"_id": "b", "name": {"first": "Bob", "last": "Stone"}, "age": "old"}, 7, {"name": {"first": "No", "last": "Id"}},
             {"_id": "a", "name": {"first": "Ada", "last": "Lovelace"}}, {"_id": "c"}, {"_id": "d", "name": "Dee"}]
            """
        ]))

    @Test("the interactor finds a person by the id, whatever is wrong with others")
    func person() async throws {
        #expect(try await interactor.person("a")?.name == .init(first: "Ada", last: "Lovelace"))
    }

    @Test("there is nobody without a record of that id", arguments: ["", "0", "A"])
    func nobody(id: String) async throws {
        #expect(try await interactor.person(id) == nil)
    }

    @Test(
        "a malformed record is an error that names it, the fault, and its place",
        arguments: [
            ("b", "\"age\" is not a whole number", "$[0].age"), ("c", "\"name\" is missing", "$[4]"),
            ("d", "\"name\" is not an object", "$[5].name"),
        ])
    func malformed(id: String, cause: String, place: String) async {
        let error = ViperError(
            .recordInvalid, "cannot read person", id, cause: cause, notes: [.init("at", "company.json \(place)")],
            mend: "correct the record in the file")
        await #expect(throws: error) { try await interactor.person(id) }
    }
}

@MainActor
struct PersonPresenterTests {
    private struct Interactor: PersonInteracting {
        var result: Result<PersonDetail?, ViperError>
        func person(_ id: String) async throws(ViperError) -> PersonDetail? { try result.get() }
    }

    private final class Spy: PersonViewing {
        var title = ""
        var fields: [Row] = []
        var alert: Alert?
        func show(title: String, _ fields: [Row]) { (self.title, self.fields) = (title, fields) }
        func show(_ alert: Alert) { self.alert = alert }
    }

    private final class Exit: PersonNavigating {
        var closes = 0
        func close() async { closes += 1 }
    }

    private func loaded(_ result: Result<PersonDetail?, ViperError>) async -> Spy {
        let presenter = PersonPresenter(id: "x", interactor: Interactor(result: result), wireframe: Exit())
        let spy = Spy()
        presenter.view = spy
        await presenter.load()
        return spy
    }

    @Test("fields that the file has are rows, others are left out")
    func fields() async {
        let spy = await loaded(.success(ada))
        #expect(spy.title == "Ada Lovelace")
        #expect(spy.fields.map(\.title) == ["Company", "Age", "Address", "Active"])
        #expect(spy.fields.map(\.detail) == ["beta", "36", "London", "yes"])
    }

    @Test("nobody and a failure are alerts")
    func alerts() async {
        #expect(await loaded(.success(nil)).alert?.message == "the list has no person with the id \"x\"")
        let error = ViperError(
            .fileMissing, "cannot read file", "company.json", cause: "no such file", mend: "write it")
        let failed = await loaded(.failure(error)).alert
        #expect(failed?.message == error.description)
        #expect(failed?.actions == [PersonAction.retry, PersonAction.close])
    }

    @Test("only the close action leaves the scene")
    func close() async {
        let exit = Exit()
        let presenter = PersonPresenter(id: "x", interactor: Interactor(result: .success(nil)), wireframe: exit)
        await presenter.press("other")
        #expect(exit.closes == 0)
        await presenter.press("close")
        #expect(exit.closes == 1)
    }
}

@MainActor
struct PersonViewTests {
    private final class Spy: PersonPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: String) async { calls.append("press \(action)") }
    }

    @Test("the view passes on loading and presses, and nothing else")
    func events() async {
        let spy = Spy()
        let view = PersonView(presenter: spy)
        await view.viewDidLoad()
        await view.handle(.press(action: "close"))
        await view.handle(.select(row: "Age"))
        #expect(spy.calls == ["load", "press close"])
    }

    @Test("the view shows what it is told")
    func showing() {
        let view = PersonView(presenter: Spy())
        let fields = [Row(id: "Age", title: "Age", detail: "36")]
        view.show(title: "Ada", fields)
        #expect(view.screen.title == "Ada" && view.screen.sections == [Section(rows: fields)])
        #expect(view.screen.actions == [PersonAction.close])
        view.show(Alert(title: "No", message: nil, actions: [PersonAction.close]))
        #expect(view.screen.alert?.title == "No" && view.screen.actions.isEmpty)
        view.show(title: "Ada", fields)
        #expect(view.screen.alert == nil && view.screen.actions == [PersonAction.close])
    }
}

@MainActor
struct PersonWireframeTests {
    @Test("the wireframe closes its scene, and assembles a view that loads through its roles")
    func navigation() async {
        let navigator = RecordingNavigator()
        await PersonWireframe(navigator: navigator).close()
        #expect(navigator.calls == [.close(result: nil)])
        let view = PersonWireframe.assemble(id: "x", files: FakeFileReader([:]), navigator: navigator)
        await view.viewDidLoad()
        #expect(view.screen.alert?.title == "Cannot read the person")
    }
}
