import HostDriver
import Testing
import ViperKit
import ViperTesting

@testable import Todo

struct TodoSettingsViewModelTests {
    @Test("A URL with a user name or a password is invalid", arguments: ["u:s3cret@", "u@", ":s3cret@"])
    func password(part: String) {
        var model = TodoSettingsViewModel()
        model.show(TodoSettings(baseURL: "http://\(part)test/api", pageSize: 5))
        #expect(model.validate() == nil)
        #expect(model.form.fields[0].error?.hasPrefix("must not contain a user name or a password") == true)
        model.baseURL.text = "http://test/apis/"
        #expect(model.validate() == TodoSettings(baseURL: "http://test/apis", pageSize: 5))
    }
}

struct TodoSettingsInteractorTests {
    @Test("The interactor reads the settings first, and saves them for all scenes")
    func settings() async throws {
        let store = FakeTodoStore()
        let chosen = TodoSettings(baseURL: "http://other", pageSize: 3)
        try await TodoSettingsInteractor(environment: .test(store: store)).save(chosen, insteadOf: nil)
        let environment = await TodoEnvironment.test(store: store)
        #expect(try await TodoSettingsInteractor(environment: environment).settings() == chosen)
    }

    @Test("Two forms in two generations or processes that change different settings keep both changes")
    func generations() async throws {
        let folder = try ScratchFolder()
        func interactor() async -> TodoSettingsInteractor {
            let store = TodoStore(folder: StateFolder(path: folder.path), json: TestJSONCoder())
            return TodoSettingsInteractor(environment: await .test(store: store))
        }
        let (first, second) = (await interactor(), await interactor())
        let (one, other) = (try await first.settings(), try await second.settings())
        try await first.save(TodoSettings(baseURL: "http://other", pageSize: one.pageSize), insteadOf: one)
        try await second.save(TodoSettings(baseURL: other.baseURL, pageSize: 3), insteadOf: other)
        let both = TodoSettings(baseURL: "http://other", pageSize: 3)
        #expect(try await interactor().settings() == both)
        // The next form shows what another process has stored.
        #expect(try await first.settings() == both)
    }
}

@MainActor
struct TodoSettingsPresenterTests {
    private final class Interactor: TodoSettingsInteracting {
        let environment: TodoEnvironment
        let store: FakeTodoStore

        @MainActor
        init(_ store: FakeTodoStore) { (self.store, environment) = (store, .test(store: store)) }

        func settings() async throws(ViperError) -> TodoSettings {
            try await environment.load()
            return await environment.settings
        }

        func save(_ settings: TodoSettings, insteadOf shown: TodoSettings?) async throws(ViperError) {
            try await environment.choose(settings, insteadOf: shown)
        }
    }

    private final class Spy: TodoSettingsViewing {
        var form: Form?
        var alert: Alert?
        func show(_ form: Form) { self.form = form }
        func show(_ alert: Alert?) { self.alert = alert }
    }

    private final class Exit: TodoSettingsNavigating {
        var closes: [Bool] = []
        func close(isSaved: Bool) async throws(ViperError) { closes.append(isSaved) }
    }

    private let spy = Spy()
    private let exit = Exit()
    private let store = FakeTodoStore()

    private func loaded() async -> (TodoSettingsPresenter, Interactor) {
        let interactor = Interactor(store)
        let presenter = TodoSettingsPresenter(interactor: interactor, wireframe: exit)
        presenter.view = spy
        await presenter.load()
        return (presenter, interactor)
    }

    @Test("Saved settings close the form, and cancelling saves nothing")
    func saving() async {
        let (presenter, interactor) = await loaded()
        presenter.fill(.pageSize, with: "3")
        #expect(spy.form?.fields.map(\.value) == ["http://test", "3"])
        await presenter.press(.cancel)
        #expect(exit.closes == [false] && interactor.environment.settings.pageSize == 20)
        await presenter.press(.save)
        #expect(exit.closes == [false, true] && interactor.environment.settings.pageSize == 3)
    }

    @Test("Invalid settings and a failure to save keep the form open")
    func failing() async {
        let (presenter, interactor) = await loaded()
        presenter.fill(.pageSize, with: "0")
        await presenter.press(.save)
        #expect(spy.form?.fields.last?.error == "must be between 1 and 1000")
        presenter.fill(.pageSize, with: "3")
        store.failure = storeFailure
        await presenter.press(.save)
        #expect(spy.alert?.title == "Cannot save the settings" && spy.alert?.message == storeFailure.description)
        #expect(exit.closes == [] && interactor.environment.settings.pageSize == 20)
        await presenter.press(.dismiss)
        #expect(spy.alert == nil)
    }

    @Test("Unreadable settings show an alert, and can be replaced")
    func unreadable() async {
        store.put("[", as: "settings.json")
        let (presenter, interactor) = await loaded()
        #expect(spy.alert?.title == "Cannot read the settings")
        presenter.fill(.baseURL, with: "http://other/")
        presenter.fill(.pageSize, with: "3")
        await presenter.press(.save)
        #expect(interactor.environment.settings == TodoSettings(baseURL: "http://other", pageSize: 3))
    }
}

@MainActor
struct TodoSettingsViewTests {
    private final class Spy: TodoSettingsPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func fill(_ field: TodoSettingsField, with text: String) { calls.append("fill \(field)=\(text)") }
        func press(_ action: TodoSettingsAction) async { calls.append("press \(action)") }
    }

    @Test("The view forwards loading, input and presses, and shows the form and alerts")
    func events() async {
        let spy = Spy()
        let view = TodoSettingsView(presenter: spy)
        await view.load()
        await view.handle(.fill(field: "pageSize", text: "3"))
        await view.handle(.press(action: "save"))
        await view.handle(.select(row: "1"))
        #expect(spy.calls == ["load", "fill pageSize=3", "press save"])
        view.show(TodoSettingsViewModel().form)
        #expect(view.screen.form?.fields.map(\.label) == ["Server", "Todos on a page"])
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No")
        #expect(view.screen.actions.map(\.id) == ["save", "cancel"])
    }
}

@MainActor
struct TodoSettingsWireframeTests {
    @Test("The wireframe closes its scene, and an assembled view loads through its roles")
    func close() async throws {
        let navigator = RecordingNavigator()
        try await TodoSettingsWireframe(navigator: navigator).close(isSaved: true)
        #expect(navigator.calls == [.close(result: try TestResult.of(true))])
        let view = TodoSettingsWireframe.assemble(environment: .test(), navigator: navigator)
        await view.load()
        #expect(view.screen.form?.fields.map(\.value) == ["http://test", "20"])
    }
}
