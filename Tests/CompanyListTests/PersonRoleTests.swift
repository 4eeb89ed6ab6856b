import Testing
import ViperKit
import ViperTesting

@testable import CompanyList

private let ada = PersonDetail(
    id: "a", name: .init(first: "Ada", last: "Lovelace"), company: "beta", balance: nil, age: 36, eyeColor: nil,
    email: nil,
    phone: nil, address: "London", favoriteFruit: nil, isActive: true)

struct PersonDetailTests {
    @Test("A person decodes with missing and unknown fields")
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

    @Test("The interactor finds a person by id although other records are malformed")
    func person() async throws {
        #expect(try await interactor.person("a")?.name == .init(first: "Ada", last: "Lovelace"))
    }

    @Test("An unknown id returns no person", arguments: ["", "0", "A"])
    func unknownID(id: String) async throws {
        #expect(try await interactor.person(id) == nil)
    }

    @Test(
        "A malformed record is an error that names the record, the fault and the position",
        arguments: [
            ("b", "\"age\" is not an integer", "$[0].age"), ("c", "\"name\" is missing", "$[4]"),
            ("d", "\"name\" is not an object", "$[5].name"),
        ])
    func malformed(id: String, cause: String, place: String) async {
        let error = ViperError(
            .recordInvalid, operation: "cannot read person", subject: id, cause: cause,
            notes: [.init("at", "company.json \(place)")],
            fix: "fix the record in the file")
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
        var isLoading = false
        var alert: Alert?
        func showLoading() { (isLoading, alert) = (true, nil) }
        func show(_ alert: Alert) { (isLoading, self.alert) = (false, alert) }
    }

    private final class Exit: PersonNavigating {
        var shown: [String] = []
        var closes = 0
        var failure: ViperError?

        func show(title: String, _ details: [(label: String, value: String)]) async throws(ViperError) {
            shown = [title] + details.map { "\($0.label)=\($0.value)" }
            if let failure { throw failure }
        }

        func close() async { closes += 1 }
    }

    private let exit = Exit()

    private func loaded(_ result: Result<PersonDetail?, ViperError>) async -> Spy {
        let presenter = PersonPresenter(id: "x", interactor: Interactor(result: result), wireframe: exit)
        let spy = Spy()
        presenter.view = spy
        await presenter.load()
        return spy
    }

    @Test("Present fields become details, and missing fields are left out")
    func fields() async {
        #expect(await loaded(.success(ada)).alert == nil)
        #expect(exit.shown == ["Ada Lovelace", "Company=beta", "Age=36", "Address=London", "Active=yes"])
    }

    @Test("A missing person and a failure show alerts")
    func alerts() async {
        let missing = await loaded(.success(nil))
        #expect(missing.alert?.message == "the list has no person with the id \"x\"" && !missing.isLoading)
        let error = ViperError(
            .fileMissing, operation: "cannot read file", subject: "company.json", cause: "no such file", fix: "write it"
        )
        let failed = await loaded(.failure(error)).alert
        #expect(failed?.title == "Cannot read the person" && failed?.message == error.description)
        #expect(failed?.actions == [Action(PersonAction.retry), Action(PersonAction.close)])
        #expect(exit.shown == [])
        exit.failure = error
        let unopened = await loaded(.success(ada)).alert
        #expect(unopened?.title == "Cannot show the person" && unopened?.message == error.description)
        #expect(unopened?.actions == [Action(PersonAction.retry), Action(PersonAction.close)])
    }

    @Test("The close action closes the scene, and an unknown action does nothing")
    func close() async {
        let presenter = PersonPresenter(id: "x", interactor: Interactor(result: .success(nil)), wireframe: exit)
        await presenter.handle(.press(action: "other"))
        #expect(exit.closes == 0)
        await presenter.press(.close)
        #expect(exit.closes == 1)
    }
}

@MainActor
struct PersonViewTests {
    private final class Spy: PersonPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: PersonAction) async { calls.append("press \(action)") }
    }

    @Test("The view forwards loading and presses, and ignores other events")
    func events() async {
        let spy = Spy()
        let view = PersonView(presenter: spy)
        await view.load()
        await view.handle(.press(action: "close"))
        await view.handle(.select(row: "0"))
        #expect(spy.calls == ["load", "press close"])
    }

    @Test("The view shows loading or an alert")
    func showing() {
        let view = PersonView(presenter: Spy())
        view.showLoading()
        #expect(view.screen.isLoading)
        view.show(Alert(title: "No", message: nil, actions: [PersonAction.close]))
        #expect(view.screen.alert?.title == "No" && !view.screen.isLoading)
        view.showLoading()
        #expect(view.screen.alert == nil)
    }
}

@MainActor
struct PersonWireframeTests {
    @Test("The wireframe closes its scene, and an assembled view loads through its roles")
    func navigation() async {
        let navigator = RecordingNavigator()
        await PersonWireframe(navigator: navigator).close()
        #expect(navigator.calls == [.close(result: nil)])
        let view = PersonWireframe.assemble(id: "x", files: FakeFileReader([:]), navigator: navigator)
        await view.load()
        #expect(view.screen.alert?.title == "Cannot read the person")
    }

    @Test("The wireframe opens the details of another module in place of its scene")
    func details() async throws {
        let navigator = RecordingNavigator()
        try await PersonWireframe(navigator: navigator).show(title: "Ada", [("Age", "36"), ("Eyes", "blue")])
        #expect(
            navigator.calls == [
                .open(
                    route: "details",
                    parameters: [
                        "title": .string("Ada"), "labels": .array([.string("Age"), .string("Eyes")]),
                        "values": .array([.string("36"), .string("blue")]),
                    ], transition: .replace)
            ])
    }
}
