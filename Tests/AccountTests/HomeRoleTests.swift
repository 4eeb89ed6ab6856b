import Testing
import ViperKit
import ViperTesting

@testable import Account

struct HomeInteractorTests {
    private final class Local: AccountLocalDataManaging {
        let failure: ViperError?
        init(failing failure: ViperError? = nil) { self.failure = failure }
        func userName() async throws(ViperError) -> String? { "ada" }
        func keep(userName: String, token: String) async throws(ViperError) {}
        func forget() async throws(ViperError) { if let failure { throw failure } }
    }

    @Test("The interactor returns the user name, logs out, and passes on store errors")
    func userName() async throws {
        #expect(try await HomeInteractor(local: Local()).userName() == "ada")
        try await HomeInteractor(local: Local()).logOut()
        await #expect(throws: storeError) { try await HomeInteractor(local: Local(failing: storeError)).logOut() }
    }
}

@MainActor
struct HomePresenterTests {
    private struct Interactor: HomeInteracting {
        var user: Result<String?, ViperError> = .success("ada")
        var failure: ViperError?
        func userName() async throws(ViperError) -> String? { try user.get() }
        func logOut() async throws(ViperError) { if let failure { throw failure } }
    }

    private final class Spy: HomeViewing {
        var calls: [String] = []
        var alert: Alert?
        func showLoading() { calls.append("loading") }
        func show(_ greeting: String) { calls.append(greeting) }
        func show(_ alert: Alert?) {
            self.alert = alert
            calls.append(alert?.title ?? "no alert")
        }
    }

    private final class Exit: HomeNavigating {
        var logins = 0
        var failure: ViperError?
        func showLogin() async throws(ViperError) {
            logins += 1
            if let failure { throw failure }
        }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(_ interactor: Interactor = Interactor()) -> HomePresenter {
        let presenter = HomePresenter(interactor: interactor, wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("A logged-in user is greeted by name")
    func greeting() async {
        await presenter().load()
        #expect(spy.calls == ["loading", "Welcome, ada"] && exit.logins == 0)
    }

    @Test("Without a login the presenter opens the form, or shows why it cannot")
    func notLoggedIn() async {
        let presenter = presenter(Interactor(user: .success(nil)))
        await presenter.load()
        #expect(spy.calls == ["loading"] && exit.logins == 1)
        let failure = ViperError(
            .navigationTooDeep, operation: "cannot open route", subject: "login", cause: "of the test", fix: "close one"
        )
        exit.failure = failure
        await presenter.load()
        #expect(spy.alert?.message == failure.description)
        await presenter.press(.dismiss)
        #expect(spy.calls.last == "no alert")
    }

    @Test("If the user name cannot be read, the presenter shows the error and offers to log in")
    func failure() async {
        let presenter = presenter(Interactor(user: .failure(storeError)))
        await presenter.load()
        #expect(spy.alert?.message == storeError.description && exit.logins == 0)
        #expect(spy.alert?.actions == [Action(HomeAction.login)])
        await presenter.press(.login)
        #expect(exit.logins == 1)
    }

    @Test("Logging out opens the form, and an unknown action does nothing")
    func logOut() async {
        let presenter = presenter()
        await presenter.handle(.press(action: "other"))
        #expect(exit.logins == 0)
        await presenter.press(.logout)
        #expect(exit.logins == 1 && spy.calls == [])
    }

    @Test("A failed logout shows the error and does not navigate")
    func logOutFailure() async {
        let presenter = presenter(Interactor(failure: storeError))
        await presenter.press(.logout)
        #expect(spy.alert?.title == "Cannot log out" && exit.logins == 0)
        #expect(spy.alert?.message == storeError.description)
    }
}

@MainActor
struct HomeViewTests {
    private final class Spy: HomePresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func press(_ action: HomeAction) async { calls.append("press \(action)") }
    }

    @Test("The view forwards loading and presses, and ignores other events")
    func events() async {
        let spy = Spy()
        let view = HomeView(presenter: spy)
        await view.load()
        await view.handle(.press(action: "logout"))
        await view.handle(.select(row: "1"))
        #expect(spy.calls == ["load", "press logout"])
    }

    @Test("The view shows loading, the greeting with its action, and alerts")
    func showing() {
        let view = HomeView(presenter: Spy())
        view.showLoading()
        #expect(view.screen.isLoading && view.screen.actions.isEmpty)
        view.show("Welcome, ada")
        #expect(view.screen.text == "Welcome, ada" && !view.screen.isLoading)
        #expect(view.screen.actions == [Action(HomeAction.logout)])
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No")
        view.show(nil)
        #expect(view.screen.alert == nil)
    }
}

@MainActor
struct HomeWireframeTests {
    @Test("The wireframe replaces all scenes with the form")
    func login() async throws {
        let navigator = RecordingNavigator()
        try await HomeWireframe(navigator: navigator).showLogin()
        #expect(navigator.calls == [.open(route: "login", parameters: [:], transition: .replaceRoot)])
    }
}
