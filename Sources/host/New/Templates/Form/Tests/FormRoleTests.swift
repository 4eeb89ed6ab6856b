import Testing
import ViperKit
import ViperTesting

@testable import FormTemplate

// Each test checks one role. The other roles and the services are fakes.

private let tea = Entry(id: "1", name: "Tea", amount: 2)

struct FormViewModelTests {
    @Test(
        "invalid fields keep their input and have an error",
        arguments: ["", "0", "101", "two", "1.5", "99999999999999999999"])
    func invalidInput(amount: String) {
        var model = FormViewModel()
        (model.name, model.amount) = (" ", amount)
        let input = model.validate()
        #expect(input == nil)
        #expect(model.form.fields.map(\.value) == [" ", amount])
        #expect(
            model.form.fields.map(\.error) == ["must not be empty", "must be a whole number from 1 to 100"])
    }

    @Test("a name and the smallest or largest amount are valid", arguments: ["1", "100"])
    func validInput(amount: String) throws {
        var model = FormViewModel()
        (model.name, model.amount) = ("Tea", amount)
        let validated = model.validate()
        let input = try #require(validated)
        #expect(input.name == "Tea" && "\(input.amount)" == amount)
        #expect(model.form.fields.allSatisfy { $0.error == nil })
    }
}

struct FormInteractorTests {
    @Test("the interactor stores the entry")
    func add() async throws {
        let provider = MemoryDataProvider()
        let entry = try await FormInteractor(provider: provider).add(name: "Tea", amount: 2)
        #expect(entry.name == "Tea" && entry.amount == 2)
        #expect(try await provider.all(Entry.self, in: FormInteractor.collection) == [entry])
    }
}

@MainActor
struct FormPresenterTests {
    private struct Interactor: FormInteracting {
        var result: Result<Entry, ViperError> = .success(tea)
        func add(name: String, amount: Int) async throws(ViperError) -> Entry { try result.get() }
    }

    private final class Spy: FormViewing {
        var forms: [Form] = []
        var alert: Alert?
        var added: String?
        func show(_ form: Form) { forms.append(form) }
        func show(_ alert: Alert?) { self.alert = alert }
        func showAdded(_ text: String) { added = text }
    }

    private final class Exit: FormNavigating {
        var closes: [Entry?] = []
        var failure: ViperError?
        func close(returning entry: Entry?) async throws(ViperError) {
            closes.append(entry)
            if let failure { throw failure }
        }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(_ interactor: Interactor = Interactor()) -> FormPresenter {
        let presenter = FormPresenter(interactor: interactor, wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("the form shows the input, and ignores an unknown field")
    func filling() async {
        let presenter = presenter()
        presenter.load()
        presenter.fill(.name, with: "Tea")
        presenter.fill(.amount, with: "2")
        await presenter.handle(.fill(field: "size", text: "L"))
        #expect(spy.forms.map { $0.fields.map(\.value) } == [["", ""], ["Tea", ""], ["Tea", "2"]])
    }

    @Test("adding valid input shows a confirmation and returns the entry")
    func adding() async {
        let presenter = presenter()
        presenter.fill(.name, with: "Tea")
        presenter.fill(.amount, with: "2")
        await presenter.press(.add)
        #expect(spy.added == "Added 2 × Tea")
        #expect(exit.closes == [tea])
    }

    @Test("adding invalid input shows the errors and adds nothing")
    func addingInvalidInput() async {
        await presenter().press(.add)
        #expect(spy.forms.last?.fields.allSatisfy { $0.error != nil } == true)
        #expect(spy.added == nil && exit.closes.isEmpty)
    }

    @Test("if the entry cannot be stored, an alert states the reason and the form keeps its input")
    func failure() async {
        let error = ViperError(.storeFailed, operation: "cannot write", subject: "entries", cause: "disk full")
        let presenter = presenter(Interactor(result: .failure(error)))
        presenter.fill(.name, with: "Tea")
        presenter.fill(.amount, with: "2")
        await presenter.press(.add)
        #expect(spy.alert?.message == "cannot write \"entries\": disk full")
        #expect(spy.forms.last?.fields.map(\.value) == ["Tea", "2"])
        await presenter.press(.dismiss)
        #expect(spy.alert == nil && exit.closes.isEmpty)
    }

    @Test("if the form cannot be closed, an alert says so, and the entry is shown as added")
    func failingToClose() async {
        exit.failure = ViperError(.recordInvalid, operation: "cannot return", subject: "entry", cause: "of the test")
        let presenter = presenter()
        presenter.fill(.name, with: "Tea")
        presenter.fill(.amount, with: "2")
        await presenter.press(.add)
        #expect(spy.added == "Added 2 × Tea")
        #expect(spy.alert?.title == "Cannot close the form")
    }

    @Test("cancelling returns nothing, and an unknown action does nothing")
    func cancelling() async {
        let presenter = presenter()
        await presenter.handle(.press(action: "other"))
        #expect(exit.closes.isEmpty)
        await presenter.press(.cancel)
        #expect(exit.closes == [nil])
    }
}

@MainActor
struct FormViewTests {
    private final class Spy: FormPresenting {
        var calls: [String] = []
        func load() { calls.append("load") }
        func fill(_ field: FormField, with text: String) { calls.append("fill \(field)=\(text)") }
        func press(_ action: FormAction) async { calls.append("press \(action)") }
    }

    @Test("the view passes only loading, typing and presses to the presenter")
    func events() async {
        let spy = Spy()
        let view = FormView(presenter: spy)
        await view.load()
        await view.handle(.fill(field: "name", text: "Tea"))
        await view.handle(.press(action: "add"))
        await view.handle(.select(row: "1"))
        #expect(spy.calls == ["load", "fill name=Tea", "press add"])
    }

    @Test("the view shows the form and alerts, and replaces the form with a text")
    func showing() {
        let view = FormView(presenter: Spy())
        view.show(FormViewModel().form)
        #expect(view.screen.form?.fields.map(\.id) == ["name", "amount"])
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No")
        view.show(nil)
        view.showAdded("Added 2 × Tea")
        #expect(view.screen.text == "Added 2 × Tea")
        #expect(view.screen.form == nil && view.screen.actions.isEmpty && view.screen.alert == nil)
    }
}

@MainActor
struct FormWireframeTests {
    @Test("the wireframe closes the form with or without an entry")
    func close() async throws {
        let navigator = RecordingNavigator()
        let wireframe = FormWireframe(navigator: navigator)
        try await wireframe.close(returning: tea)
        try await wireframe.close(returning: nil)
        #expect(navigator.calls == [.close(result: try TestResult.of(tea)), .close(result: nil)])
    }
}
