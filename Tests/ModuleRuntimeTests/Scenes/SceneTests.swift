import ModuleTestSupport
import Observation
import TestSupport
import Testing
import ViperKit

@testable import ModuleRuntime

@MainActor
@Suite(.hangLimit)
struct SceneTests {
    @Observable
    final class ListView: View {
        private(set) var screen = Screen(title: "List")
        @ObservationIgnored let presenter: ListPresenter
        @ObservationIgnored private(set) var loads = 0

        init(presenter: ListPresenter) {
            self.presenter = presenter
            screen.form = Form(fields: [Field(id: "given", label: "Given", value: "", kind: .text)])
            screen.actions = [Action(id: "save", title: "Save"), Action(id: "close", title: "Close")]
            screen.sections = [
                Section(rows: [Row(id: "1", title: "One")]), Section(rows: [Row(id: "2", title: "Two")]),
            ]
            screen.alert = Alert(title: "Hm", message: nil, actions: [Action(id: "retry", title: "Retry")])
        }

        func load() async { loads += 1 }

        func handle(_ event: Event) async {
            screen.text = "\(event)"
            if event == .press(action: "close") { await presenter.close() }
        }
    }

    @MainActor
    final class ListPresenter: Presenter {
        private let navigator: any Navigator
        init(navigator: any Navigator) { self.navigator = navigator }
        func load() async {}
        func close() async { await navigator.close() }
    }

    final class List: Module {
        init(services: any ServiceResolver) {}
        static func register(with registrar: Registrar<List>) {
            registrar.route("list") { _, request in
                ListView(presenter: ListPresenter(navigator: request.navigator))
            }
        }
    }

    /// Returns a window with a scene that has not loaded yet.
    private func open() async throws -> (window: Window, scene: Scene) {
        let host = try linkedHost([(List.self, manifestText("list", routes: ["list"]))])
        let window = Window(router: host.router)
        return (window, try await window.assemble("list", .values([:])))
    }

    @Test("A scene shows its view's screen, and loads the view on request")
    func load() async throws {
        let (window, scene) = try await open()
        defer { window.closeAll() }
        #expect(scene.route == "list")
        #expect(scene.screen.title == "List")
        let view = try #require(scene.view as? ListView)
        #expect(view.loads == 0)
        try await scene.load()
        #expect(view.loads == 1)
    }

    @Test(
        "An event for an item on the screen reaches the view",
        arguments: [
            .fill(field: "given", text: ""), .press(action: "save"), .press(action: "retry"), .select(row: "2"),
        ] as [Event])
    func known(event: Event) async throws {
        let (window, scene) = try await open()
        defer { window.closeAll() }
        try await scene.handle(event)
        #expect(scene.screen.text == "\(event)")
    }

    @Test(
        "An event for an item that is not on the screen is refused and does not reach the view",
        arguments: [
            (.fill(field: "family", text: "x"), "cannot fill field \"family\"", "given"),
            (.press(action: "delete"), "cannot press action \"delete\"", "save, close, retry"),
            (.select(row: "3"), "cannot select row \"3\"", "1, 2"),
        ] as [(Event, String, String)])
    func unknown(event: Event, what: String, known: String) async throws {
        let (window, scene) = try await open()
        defer { window.closeAll() }
        let error = try await #require(throws: ViperError.self) { try await scene.handle(event) }
        #expect(error.code == .eventUnknown)
        #expect(error.summary == "\(what): the screen \"List\" does not contain it")
        #expect(error.notes == [.init("available", known)])
        #expect(scene.screen.text == nil)
    }

    @Test(
        "An event for an element that cannot be used now is refused with the reason",
        arguments: [
            (.press(action: "order"), "cannot press action \"order\": it is disabled: the shop is closed"),
            (.select(row: "2"), "cannot select row \"2\": it cannot be selected"),
            (.act(row: "3", action: "remove"), "cannot use row \"3\": the screen \"Shop\" does not contain it"),
            (.act(row: "2", action: "remove"), "cannot press action \"remove\": the row \"2\" does not contain it"),
        ] as [(Event, String)])
    func unusable(event: Event, what: String) throws {
        let error = try #require(throws: ViperError.self) { try refinedScreen.check(event) }
        #expect(error.code == .eventUnknown && error.summary == what)
    }

    @Test("The actions of rows, of lists and of empty screens can be pressed")
    func actionsOfParts() throws {
        try refinedScreen.check(.act(row: "1", action: "remove"))
        try refinedScreen.check(.press(action: "more"))
        try emptyScreen.check(.press(action: "add"))
        #expect(throws: ViperError.self) { try refinedScreen.check(.press(action: "remove")) }
    }

    @Test("An error lists at most ten names, or none")
    func manyNames() throws {
        var screen = Screen(title: "t")
        let none = try #require(throws: ViperError.self) { try screen.check(.select(row: "x")) }
        #expect(none.notes == [.init("available", "none")])
        screen.sections = [Section(rows: (0..<11).map { Row(id: "\($0)", title: "") })]
        let many = try #require(throws: ViperError.self) { try screen.check(.select(row: "x")) }
        #expect(many.notes == [.init("available", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, …")])
    }

    @Test("Closing frees the view and its presenter, and keeps the last screen")
    func close() async throws {
        let (window, scene) = try await open()
        weak let presenter = (scene.view as? ListView)?.presenter
        weak let view = scene.view
        #expect(view != nil && presenter != nil)
        try await scene.handle(.select(row: "1"))
        window.closeAll()
        #expect(view == nil && presenter == nil)
        #expect(scene.isClosed)
        #expect(scene.screen.text == "select(row: \"1\")")
        window.closeAll()
        #expect(scene.screen.text == "select(row: \"1\")")
    }

    @Test("A presenter can close its own scene, and closing it again changes nothing")
    func closedByWireframe() async throws {
        let (window, scene) = try await open()
        let presenter = try #require((scene.view as? ListView)?.presenter)
        try await scene.handle(.press(action: "close"))
        #expect(scene.isClosed)
        await presenter.close()
        window.closeAll()
        #expect(scene.screen.text == "press(action: \"close\")")
    }

    @Test("A closed scene accepts events and ignores them")
    func eventsAfterClosing() async throws {
        let (window, scene) = try await open()
        window.closeAll()
        try await scene.handle(.select(row: "1"))
        try await scene.load()
        #expect(scene.screen.text == nil)
    }

    @Test("The stream yields the current screen and each change, and ends when the scene closes")
    func screens() async throws {
        let (window, scene) = try await open()
        let seen = Steps()
        for await screen in scene.screens() {
            seen.add(screen.text ?? "first")
            switch seen.all.count {
            case 1: try await scene.handle(.press(action: "save"))
            case 2: try await scene.handle(.select(row: "1"))
            default: window.closeAll()
            }
        }
        #expect(seen.all == ["first", "press(action: \"save\")", "select(row: \"1\")"])
    }
}
