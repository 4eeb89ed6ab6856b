import Testing
import ViperKit
import ViperTesting

@testable import CompanyList

// Each role of the detail alone: everything that it talks to is a fake.

private let ada = PersonDetail(
    name: .init(first: "Ada", last: "Lovelace"), company: "beta", balance: nil, age: 36, eyeColor: nil, email: nil,
    phone: nil, address: "London", favoriteFruit: nil, isActive: true)

struct PersonDetailTests {
    @Test("a person is decoded with what the file has of them")
    func decoding() async throws {
        let text = """
            {"name": {"first": "Ada", "last": "Lovelace"}, "company": "beta", "age": 36, "address": "London",
             "isActive": true, "guid": "x"}
            """
        #expect(try await FakeFileReader(["p": text]).decode(PersonDetail.self, from: "p") == ada)
    }
}

struct PersonInteractorTests {
    private let interactor = PersonInteractor(
        files: FakeFileReader([
            "company.json": """
            [{"name": {"first": "Bob", "last": "Stone"}}, {"name": {"first": "Ada", "last": "Lovelace"}}]
            """
        ]))

    @Test("the interactor finds the person at a place of the file")
    func person() async throws {
        #expect(try await interactor.person(at: 1)?.name == .init(first: "Ada", last: "Lovelace"))
    }

    @Test("there is nobody outside the list", arguments: [-1, 2, Int.max, Int.min])
    func nobody(place: Int) async throws {
        #expect(try await interactor.person(at: place) == nil)
    }
}

@MainActor
struct PersonPresenterTests {
    private struct Interactor: PersonInteracting {
        var result: Result<PersonDetail?, ViperError>
        func person(at place: Int) async throws(ViperError) -> PersonDetail? { try result.get() }
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
        let presenter = PersonPresenter(place: 7, interactor: Interactor(result: result), wireframe: Exit())
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
        #expect(await loaded(.success(nil)).alert?.message == "the list has no person number 7")
        let error = ViperError(
            .fileMissing, "cannot read file", "company.json", cause: "no such file", mend: "write it")
        #expect(await loaded(.failure(error)).alert?.message == error.description)
    }

    @Test("only the close action leaves the scene")
    func close() async {
        let exit = Exit()
        let presenter = PersonPresenter(place: 0, interactor: Interactor(result: .success(nil)), wireframe: exit)
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
    }
}

@MainActor
struct PersonWireframeTests {
    @Test("the wireframe closes its scene, and assembles a view that loads through its roles")
    func navigation() async {
        let navigator = RecordingNavigator()
        await PersonWireframe(navigator: navigator).close()
        #expect(navigator.calls == [.close(result: nil)])
        let view = PersonWireframe.assemble(place: 0, files: FakeFileReader([:]), navigator: navigator)
        await view.viewDidLoad()
        #expect(view.screen.alert?.title == "Cannot read the list")
    }
}
