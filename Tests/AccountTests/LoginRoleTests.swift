import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Account

private let refusal = ViperError(
    .loginRefused, operation: "cannot log in as", subject: "ada", cause: "of the test", notes: [.init("tried", "once")],
    fix: "try again")

struct LoginViewModelTests {
    @Test(
        "Validation reports each empty field and keeps the input",
        arguments: [
            ("", false, "must not be empty", "must not be empty"), (" \t", true, "must not be empty", nil),
            ("ada", false, nil, "must not be empty"),
        ] as [(String, Bool, String?, String?)])
    func emptyFields(userName: String, hasPassword: Bool, nameError: String?, passwordError: String?) {
        var model = LoginViewModel()
        (model.userName.text, model.hasPassword) = (userName, hasPassword)
        let validated = model.validate()
        #expect(validated == nil)
        #expect(model.form.fields.map(\.value.isEmpty) == [userName.isEmpty, !hasPassword])
        #expect(model.form.fields.map(\.error) == [nameError, passwordError])
    }

    @Test("Filling a field clears the error of that field only")
    func filled() {
        var model = LoginViewModel()
        _ = model.validate()
        model.userName.text = "ada"
        #expect(model.form.fields.map(\.error) == [nil, "must not be empty"])
        model.hasPassword = true
        #expect(model.form.fields.map(\.error) == [nil, nil])
    }

    @Test("Validation trims the user name and accepts any password")
    func validInput() {
        var model = LoginViewModel()
        (model.userName.text, model.hasPassword) = (" Ada Lovelace ", true)
        let validated = model.validate()
        #expect(validated == "Ada Lovelace")
        #expect(model.form.fields.map(\.error) == [nil, nil])
        #expect(model.form.fields.map(\.kind) == [.text, .password])
    }
}

struct LoginInteractorTests {
    private struct API: AccountAPIDataManaging {
        var result: Result<String, ViperError> = .success("t")
        func token(userName: String, password: String) async throws(ViperError) -> String {
            try result.get() + " of \(userName) by \(password)"
        }
    }

    private final class Local: AccountLocalDataManaging {
        let kept = Mutex<[String]>([])
        let failure: ViperError?
        init(failing failure: ViperError? = nil) { self.failure = failure }
        func userName() async throws(ViperError) -> String? { nil }
        func keep(userName: String, token: String) async throws(ViperError) {
            if let failure { throw failure }
            kept.withLock { $0.append("\(userName): \(token)") }
        }
        func forget() async throws(ViperError) {}
    }

    @Test("The interactor stores the token with the user name")
    func logIn() async throws {
        let local = Local()
        try await LoginInteractor(api: API(), local: local).logIn(userName: "ada", password: "lovelace")
        #expect(local.kept.withLock { $0 } == ["ada: t of ada by lovelace"])
    }

    @Test("A refused login stores nothing")
    func refused() async {
        let local = Local()
        await #expect(throws: refusal) {
            try await LoginInteractor(api: API(result: .failure(refusal)), local: local)
                .logIn(userName: "ada", password: "lovelace")
        }
        #expect(local.kept.withLock { $0 } == [])
    }

    @Test("Logging in fails if the credential cannot be stored")
    func storeFailure() async {
        await #expect(throws: storeError) {
            try await LoginInteractor(api: API(), local: Local(failing: storeError))
                .logIn(userName: "ada", password: "lovelace")
        }
    }
}

@MainActor
@Suite(.hangLimit)
struct LoginPresenterTests {
    private final class Interactor: LoginInteracting {
        let attempts = Mutex<[String]>([])
        let result: Result<Void, ViperError>
        let isOpen: AsyncStream<Void>
        init(_ result: Result<Void, ViperError>, waitingFor isOpen: AsyncStream<Void>) {
            (self.result, self.isOpen) = (result, isOpen)
        }
        func logIn(userName: String, password: String) async throws(ViperError) {
            attempts.withLock { $0.append("\(userName) \(password)") }
            for await _ in isOpen {}
            try result.get()
        }
    }

    private final class Spy: LoginViewing {
        var forms: [Form] = []
        var calls: [String] = []
        var onLoading: (() -> Void)?
        func show(_ form: Form) { forms.append(form) }
        func showLoading() {
            calls.append("loading")
            onLoading?()
        }
        func show(_ alert: Alert?) {
            calls.append(alert.map { "\($0.title): \($0.message ?? "") \($0.actions.map(\.id))" } ?? "no alert")
        }
    }

    private final class Exit: LoginNavigating {
        var homes = 0
        var failure: ViperError?
        func goOn() async throws(ViperError) {
            homes += 1
            if let failure { throw failure }
        }
    }

    private let spy = Spy()
    private let exit = Exit()
    private let gate = AsyncStream<Void>.makeStream()

    private func presenter(
        _ result: Result<Void, ViperError> = .success(()), isOpen isOpenAlready: Bool = true
    ) -> (LoginPresenter, Interactor) {
        if isOpenAlready { gate.continuation.finish() }
        let interactor = Interactor(result, waitingFor: gate.stream)
        let presenter = LoginPresenter(interactor: interactor, wireframe: exit)
        presenter.view = spy
        return (presenter, interactor)
    }

    private func attempts(_ interactor: Interactor) -> [String] { interactor.attempts.withLock { $0 } }

    @Test("The form shows the user name, and a dot instead of the password")
    func filling() async {
        let (presenter, _) = presenter()
        presenter.load()
        #expect(spy.forms.last?.fields.map(\.value) == ["", ""])
        presenter.fill(.userName, with: "ada")
        presenter.fill(.password, with: "lovelace")
        await presenter.handle(.fill(field: "size", text: "L"))
        #expect(spy.forms.last?.fields.map(\.value) == ["ada", "•"])
        #expect(spy.forms.last?.fields.map(\.error) == [nil, nil])
        presenter.fill(.password, with: "")
        #expect(spy.forms.last?.fields[1].value == "")
    }

    @Test("Pressing login with empty fields shows errors, sends nothing, and keeps the password")
    func empty() async {
        let (presenter, interactor) = presenter()
        await presenter.press(.login)
        #expect(spy.forms.last?.fields.map(\.error) == ["must not be empty", "must not be empty"])
        presenter.fill(.password, with: "lovelace")
        await presenter.press(.login)
        #expect(spy.forms.last?.fields.map(\.error) == ["must not be empty", nil])
        #expect(spy.forms.last?.fields[1].value == "•")
        #expect(attempts(interactor) == [] && spy.calls == [] && exit.homes == 0)
    }

    @Test("A login shows loading, calls the interactor once, and opens the home scene")
    func logIn() async {
        let (presenter, interactor) = presenter()
        presenter.fill(.userName, with: " ada ")
        presenter.fill(.password, with: " lovelace ")
        await presenter.press(.login)
        #expect(attempts(interactor) == ["ada  lovelace "])
        #expect(spy.calls == ["no alert", "loading"] && exit.homes == 1)
    }

    @Test("A failed login shows the error, keeps the user name, and clears the password")
    func failure() async {
        let (presenter, interactor) = presenter(.failure(refusal))
        presenter.fill(.userName, with: "ada")
        presenter.fill(.password, with: "lovelace")
        await presenter.press(.login)
        #expect(spy.calls == ["no alert", "loading", "Cannot log in: \(refusal) [\"dismiss\"]"])
        #expect(spy.forms.last?.fields.map(\.value) == ["ada", ""])
        await presenter.press(.dismiss)
        #expect(spy.calls.last == "no alert")
        await presenter.press(.login)
        #expect(spy.forms.last?.fields.map(\.error) == [nil, "must not be empty"])
        #expect(attempts(interactor).count == 1 && exit.homes == 0)
    }

    @Test("While a login runs, the password field is empty and a second press does nothing")
    func twice() async {
        let (presenter, interactor) = presenter(isOpen: false)
        presenter.fill(.userName, with: "ada")
        presenter.fill(.password, with: "lovelace")
        let (hasBegun, begins) = AsyncStream<Void>.makeStream()
        spy.onLoading = { begins.finish() }
        let first = Task { await presenter.press(.login) }
        for await _ in hasBegun {}
        #expect(spy.forms.last?.fields.map(\.value) == ["ada", ""])
        await presenter.press(.login)
        #expect(spy.forms.last?.fields.map(\.error) == [nil, nil])
        gate.continuation.finish()
        await first.value
        #expect(attempts(interactor) == ["ada lovelace"] && exit.homes == 1)
    }

    @Test("A home scene that cannot be opened shows an alert, and an unknown action does nothing")
    func homeFailure() async {
        let (presenter, interactor) = presenter()
        await presenter.handle(.press(action: "other"))
        let failure = ViperError(
            .navigationTooDeep, operation: "cannot open route", subject: "home", cause: "of the test", fix: "close one")
        exit.failure = failure
        presenter.fill(.userName, with: "ada")
        presenter.fill(.password, with: "lovelace")
        await presenter.press(.login)
        #expect(spy.calls == ["no alert", "loading", "Cannot go on: \(failure) [\"dismiss\"]"])
        #expect(attempts(interactor) == ["ada lovelace"])
    }
}

@MainActor
struct LoginViewTests {
    private final class Spy: LoginPresenting {
        var calls: [String] = []
        func load() { calls.append("load") }
        func fill(_ field: LoginField, with text: String) { calls.append("fill \(field)=\(text)") }
        func press(_ action: LoginAction) async { calls.append("press \(action)") }
    }

    @Test("The view forwards loading, input and presses, and ignores other events")
    func events() async {
        let spy = Spy()
        let view = LoginView(presenter: spy)
        await view.load()
        await view.handle(.fill(field: "userName", text: "ada"))
        await view.handle(.press(action: "login"))
        await view.handle(.select(row: "1"))
        #expect(spy.calls == ["load", "fill userName=ada", "press login"])
    }

    @Test("The view shows the form, loading and alerts")
    func showing() {
        let view = LoginView(presenter: Spy())
        view.show(LoginViewModel().form)
        #expect(view.screen.form?.fields.map(\.id) == ["userName", "password"])
        view.showLoading()
        #expect(view.screen.isLoading)
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No" && !view.screen.isLoading && view.screen.form != nil)
        view.show(nil)
        #expect(view.screen.alert == nil && view.screen.actions == [Action(LoginAction.login)])
    }
}

@MainActor
struct LoginWireframeTests {
    @Test("The wireframe replaces all scenes with the home scene, or returns to the guard that led to the form")
    func goingOn() async throws {
        let navigator = RecordingNavigator()
        try await LoginWireframe(LoginRoute(), navigator: navigator).goOn()
        #expect(navigator.calls == [.open(route: "home", parameters: [:], transition: .replaceRoot)])
        let guarded = RecordingNavigator()
        try await LoginWireframe(LoginRoute(returns: true), navigator: guarded).goOn()
        #expect(guarded.calls == [.close(result: try TestResult.of(true))])
    }
}
