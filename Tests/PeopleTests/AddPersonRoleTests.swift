import Testing
import ViperKit
import ViperTesting

@testable import People

private let ada = Person(id: "1", name: "Ada", age: 36)

struct AddPersonViewModelTests {
    @Test(
        "Validation reports the error of each field and keeps the input",
        arguments: [
            ("", "", "must not be empty", "must not be empty"),
            ("  \t", "36", "must not be empty", nil),
            ("Ada", "old", nil, "must be a whole number"),
            ("Ada", "3.5", nil, "must be a whole number"),
            ("Ada", "-1", nil, "must be between 0 and 130"),
            ("Ada", "131", nil, "must be between 0 and 130"),
            ("Ada", "99999999999999999999", nil, "must be a whole number"),
        ] as [(String, String, String?, String?)])
    func invalidInput(name: String, age: String, nameError: String?, ageError: String?) {
        var model = AddPersonViewModel()
        (model.name.text, model.age.text) = (name, age)
        let validated = model.validate()
        #expect(validated == nil)
        #expect(model.form.fields.map(\.value) == [name, age])
        #expect(model.form.fields.map(\.error) == [nameError, ageError])
    }

    @Test("Filling a field clears the error of that field only")
    func filled() {
        var model = AddPersonViewModel()
        _ = model.validate()
        model.name.text = "Ada"
        #expect(model.form.fields.map(\.error) == [nil, "must not be empty"])
        model.age.text = "36"
        #expect(model.form.fields.map(\.error) == [nil, nil])
    }

    @Test("Validation trims the name and accepts ages from 0 to 130", arguments: ["0", "36", "130"])
    func validInput(age: String) throws {
        var model = AddPersonViewModel()
        (model.name.text, model.age.text) = (" Ada Lovelace ", age)
        let validated = model.validate()
        let input = try #require(validated)
        #expect(input.name == "Ada Lovelace" && "\(input.age)" == age)
        #expect(model.form.fields.allSatisfy { $0.error == nil })
    }
}

struct AddPersonInteractorTests {
    private struct Service: PersonService {
        func people(olderThan age: Int?) async throws(ViperError) -> [Person] { [] }
        func remove(_ person: Person) async throws(ViperError) {}
        func changes() -> AsyncStream<CollectionChange> { AsyncStream { $0.finish() } }
        func create(name: String, age: Int) async throws(ViperError) -> Person {
            Person(id: "new", name: name, age: age)
        }
    }

    @Test("The interactor creates the person")
    func add() async throws {
        let person = try await AddPersonInteractor(service: Service()).add(name: "Ada", age: 36)
        #expect(person == Person(id: "new", name: "Ada", age: 36))
    }
}

@MainActor
struct AddPersonPresenterTests {
    private struct Interactor: AddPersonInteracting {
        var result: Result<Person, ViperError> = .success(ada)
        func add(name: String, age: Int) async throws(ViperError) -> Person { try result.get() }
    }

    private final class Spy: AddPersonViewing {
        var forms: [Form] = []
        var alert: Alert?
        var added: String?
        func show(_ form: Form) { forms.append(form) }
        func show(_ alert: Alert?) { self.alert = alert }
        func showAdded(_ text: String) { added = text }
    }

    private final class Exit: AddPersonNavigating {
        var closes: [Person?] = []
        var failure: ViperError?
        func close(returning person: Person?) async throws(ViperError) {
            closes.append(person)
            if let failure { throw failure }
        }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(_ result: Result<Person, ViperError> = .success(ada)) -> AddPersonPresenter {
        let presenter = AddPersonPresenter(interactor: Interactor(result: result), wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("Input appears in the form, and an unknown field changes nothing")
    func filling() async {
        let presenter = presenter()
        presenter.load()
        presenter.fill(.name, with: "Ada")
        presenter.fill(.age, with: "36")
        await presenter.handle(.fill(field: "size", text: "L"))
        #expect(spy.forms.last?.fields.map(\.value) == ["Ada", "36"])
        #expect(spy.forms.last?.fields.map(\.error) == [nil, nil])
    }

    @Test("Adding a valid person shows a confirmation and returns the person")
    func adding() async {
        let presenter = presenter()
        presenter.fill(.name, with: "Ada")
        presenter.fill(.age, with: "36")
        await presenter.press(.add)
        #expect(spy.added == "Added Ada - 36")
        #expect(exit.closes == [ada])
    }

    @Test("Adding an invalid person shows the errors and adds nothing")
    func addingInvalid() async {
        let presenter = presenter()
        presenter.fill(.age, with: "old")
        await presenter.press(.add)
        #expect(spy.forms.last?.fields.map(\.error) == ["must not be empty", "must be a whole number"])
        #expect(spy.added == nil && exit.closes.isEmpty)
    }

    @Test("If the person cannot be stored, the form shows the error and keeps the input")
    func failure() async {
        let error = ViperError(
            .storeFailed, operation: "cannot write", subject: "people", cause: "disk full",
            notes: [.init("response", "sorry")],
            fix: "make room")
        let presenter = presenter(.failure(error))
        presenter.fill(.name, with: "Ada")
        presenter.fill(.age, with: "36")
        await presenter.press(.add)
        #expect(spy.alert?.message == error.description)
        #expect(spy.forms.last?.fields.map(\.value) == ["Ada", "36"])
        await presenter.press(.dismiss)
        #expect(spy.alert == nil && exit.closes.isEmpty)
    }

    @Test("If the form cannot be closed, the screen shows the error and that the person is added")
    func failingToClose() async {
        let error = ViperError(.recordInvalid, operation: "cannot return", subject: "person", cause: "of the test")
        exit.failure = error
        let presenter = presenter()
        presenter.fill(.name, with: "Ada")
        presenter.fill(.age, with: "36")
        await presenter.press(.add)
        #expect(spy.added == "Added Ada - 36")
        #expect(spy.alert?.title == "Cannot close the form" && spy.alert?.message == error.description)
    }

    @Test("Cancelling returns no person, and an unknown action does nothing")
    func cancelling() async {
        let presenter = presenter()
        await presenter.handle(.press(action: "other"))
        #expect(exit.closes.isEmpty)
        await presenter.press(.cancel)
        #expect(exit.closes == [nil])
    }
}

@MainActor
struct AddPersonViewTests {
    private final class Spy: AddPersonPresenting {
        var calls: [String] = []
        func load() { calls.append("load") }
        func fill(_ field: AddPersonField, with text: String) { calls.append("fill \(field)=\(text)") }
        func press(_ action: AddPersonAction) async { calls.append("press \(action)") }
    }

    @Test("The view forwards loading, input and presses, and ignores other events")
    func events() async {
        let spy = Spy()
        let view = AddPersonView(presenter: spy)
        await view.load()
        await view.handle(.fill(field: "name", text: "Ada"))
        await view.handle(.press(action: "add"))
        await view.handle(.select(row: "1"))
        #expect(spy.calls == ["load", "fill name=Ada", "press add"])
    }

    @Test("The view shows the form, alerts and the added person")
    func showing() {
        let view = AddPersonView(presenter: Spy())
        view.show(AddPersonViewModel().form)
        #expect(view.screen.form?.fields.map(\.id) == ["name", "age"])
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No")
        view.show(nil)
        view.showAdded("Added Ada - 36")
        #expect(view.screen.message == "Added Ada - 36")
        #expect(view.screen.form == nil && view.screen.actions.isEmpty && view.screen.alert == nil)
    }
}

@MainActor
struct AddPersonWireframeTests {
    @Test("The wireframe closes the form with the person or without a result")
    func close() async throws {
        let navigator = RecordingNavigator()
        let wireframe = AddPersonWireframe(navigator: navigator)
        try await wireframe.close(returning: ada)
        try await wireframe.close(returning: nil)
        #expect(navigator.calls == [.close(result: try TestResult.of(ada)), .close(result: nil)])
    }
}
