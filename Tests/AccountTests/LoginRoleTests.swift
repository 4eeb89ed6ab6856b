import Synchronization
import TestSupport
import Testing
import ViperKit
import ViperTesting

@testable import Account

// Each role of the form alone: everything that it talks to is a fake.

private let refusal = ViperError(
    .loginRefused, "cannot log in as", "ada", cause: "of the test", notes: [.init("tried", "once")], mend: "try again")

struct LoginViewModelTests {
    @Test(
        "each field says that it must not be empty, and the name keeps what was typed",
        arguments: [
            ("", false, "must not be empty", "must not be empty"), (" \t", true, "must not be empty", nil),
            ("ada", false, nil, "must not be empty"),
        ] as [(String, Bool, String?, String?)])
    func wrong(userName: String, hasPassword: Bool, nameError: String?, passwordError: String?) {
        var model = LoginViewModel()
        (model.userName, model.hasPassword) = (userName, hasPassword)
        let validated = model.validate()
        #expect(validated == nil)
        #expect(model.form.fields.map(\.value.isEmpty) == [userName.isEmpty, !hasPassword])
        #expect(model.form.fields.map(\.error) == [nameError, passwordError])
    }

    @Test("what is wrong with a field is forgotten once it is filled, and only with that one")
    func filled() {
        var model = LoginViewModel()
        _ = model.validate()
        model.userName = "ada"
        #expect(model.form.fields.map(\.error) == [nil, "must not be empty"])
        model.hasPassword = true
        #expect(model.form.fields.map(\.error) == [nil, nil])
    }

    @Test("a name without the space around it and some password are right")
    func right() {
        var model = LoginViewModel()
        (model.userName, model.hasPassword) = (" Ada Lovelace ", true)
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

    @Test("the token that the server gives is kept with the name")
    func logIn() async throws {
        let local = Local()
        try await LoginInteractor(api: API(), local: local).logIn(userName: "ada", password: "lovelace")
        #expect(local.kept.withLock { $0 } == ["ada: t of ada by lovelace"])
    }

    @Test("whom the server refuses is not kept")
    func refused() async {
        let local = Local()
        await #expect(throws: refusal) {
            try await LoginInteractor(api: API(result: .failure(refusal)), local: local)
                .logIn(userName: "ada", password: "lovelace")
        }
        #expect(local.kept.withLock { $0 } == [])
    }

    @Test("whom nobody can keep is not logged in")
    func unkept() async {
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
        func showHome() async throws(ViperError) {
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

    @Test("the form shows the name, and of the password only that it is there")
    func filling() {
        let (presenter, _) = presenter()
        presenter.load()
        #expect(spy.forms.last?.fields.map(\.value) == ["", ""])
        presenter.fill("userName", "ada")
        presenter.fill("password", "lovelace")
        presenter.fill("size", "L")
        #expect(spy.forms.last?.fields.map(\.value) == ["ada", "•"])
        #expect(spy.forms.last?.fields.map(\.error) == [nil, nil])
        presenter.fill("password", "")
        #expect(spy.forms.last?.fields[1].value == "")
    }

    @Test("what is empty is told field by field, nobody is asked, and the password stays")
    func empty() async {
        let (presenter, interactor) = presenter()
        await presenter.press("login")
        #expect(spy.forms.last?.fields.map(\.error) == ["must not be empty", "must not be empty"])
        presenter.fill("password", "lovelace")
        await presenter.press("login")
        #expect(spy.forms.last?.fields.map(\.error) == ["must not be empty", nil])
        #expect(spy.forms.last?.fields[1].value == "•")
        #expect(attempts(interactor) == [] && spy.calls == [] && exit.homes == 0)
    }

    @Test("logging in shows a loader, tries once, and leads to the home")
    func logIn() async {
        let (presenter, interactor) = presenter()
        presenter.fill("userName", " ada ")
        presenter.fill("password", " lovelace ")
        await presenter.press("login")
        #expect(attempts(interactor) == ["ada  lovelace "])
        #expect(spy.calls == ["no alert", "loading"] && exit.homes == 1)
    }

    @Test("a failure is told, the name stays, and the password has gone: it is tried once only")
    func failure() async {
        let (presenter, interactor) = presenter(.failure(refusal))
        presenter.fill("userName", "ada")
        presenter.fill("password", "lovelace")
        await presenter.press("login")
        #expect(spy.calls == ["no alert", "loading", "Cannot log in: \(refusal) [\"dismiss\"]"])
        #expect(spy.forms.last?.fields.map(\.value) == ["ada", ""])
        await presenter.press("dismiss")
        #expect(spy.calls.last == "no alert")
        await presenter.press("login")
        #expect(spy.forms.last?.fields.map(\.error) == [nil, "must not be empty"])
        #expect(attempts(interactor).count == 1 && exit.homes == 0)
    }

    @Test("while somebody is being logged in the form has no password any more, and a second press does nothing")
    func twice() async {
        let (presenter, interactor) = presenter(isOpen: false)
        presenter.fill("userName", "ada")
        presenter.fill("password", "lovelace")
        let (hasBegun, begins) = AsyncStream<Void>.makeStream()
        spy.onLoading = { begins.finish() }
        let first = Task { await presenter.press("login") }
        for await _ in hasBegun {}
        #expect(spy.forms.last?.fields.map(\.value) == ["ada", ""])
        await presenter.press("login")
        #expect(spy.forms.last?.fields.map(\.error) == [nil, nil])
        gate.continuation.finish()
        await first.value
        #expect(attempts(interactor) == ["ada lovelace"] && exit.homes == 1)
    }

    @Test("a home that cannot be opened is no failed login, and an unknown action does nothing")
    func lost() async {
        let (presenter, interactor) = presenter()
        await presenter.press("other")
        let failure = ViperError(
            .navigationDepth, "cannot open route", "home", cause: "of the test", mend: "close one")
        exit.failure = failure
        presenter.fill("userName", "ada")
        presenter.fill("password", "lovelace")
        await presenter.press("login")
        #expect(spy.calls == ["no alert", "loading", "Cannot open your home: \(failure) [\"dismiss\"]"])
        #expect(attempts(interactor) == ["ada lovelace"])
    }
}

@MainActor
struct LoginViewTests {
    private final class Spy: LoginPresenting {
        var calls: [String] = []
        func load() { calls.append("load") }
        func fill(_ field: String, _ text: String) { calls.append("fill \(field)=\(text)") }
        func press(_ action: String) async { calls.append("press \(action)") }
    }

    @Test("the view passes on loading, typing and presses, and nothing else")
    func events() async {
        let spy = Spy()
        let view = LoginView(presenter: spy)
        await view.viewDidLoad()
        await view.handle(.fill(field: "userName", text: "ada"))
        await view.handle(.press(action: "login"))
        await view.handle(.select(row: "1"))
        #expect(spy.calls == ["load", "fill userName=ada", "press login"])
    }

    @Test("the view shows the form, the loader, and alerts in its place")
    func showing() {
        let view = LoginView(presenter: Spy())
        view.show(LoginViewModel().form)
        #expect(view.screen.form?.fields.map(\.name) == ["userName", "password"])
        view.showLoading()
        #expect(view.screen.isLoading)
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No" && !view.screen.isLoading && view.screen.form != nil)
        view.show(nil)
        #expect(view.screen.alert == nil && view.screen.actions == [LoginAction.login])
    }
}

@MainActor
struct LoginWireframeTests {
    @Test("the wireframe puts the home in place of all else")
    func home() async throws {
        let navigator = RecordingNavigator()
        try await LoginWireframe(navigator: navigator).showHome()
        #expect(navigator.calls == [.open(route: "home", parameters: [:], transition: .replaceRoot)])
    }
}
