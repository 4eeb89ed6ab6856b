import Testing
import ViperKit
import ViperTesting

@testable import ListTemplate

// Each test checks one role. The other roles and the services are fakes.

private let tea = Item(title: "Tea", group: "Warm", detail: "Green")
private let ice = Item(title: "Ice", group: "Cold", detail: "Lemon")

struct ListInteractorTests {
    @Test("the interactor returns the items in the file's order")
    func items() async throws {
        let file = """
            [{"title": "Tea", "group": "Warm", "detail": "Green"},
             {"title": "Ice", "group": "Cold", "detail": "Lemon"}]
            """
        let interactor = ListInteractor(files: FakeFileReader(["items.json": file]))
        #expect(try await interactor.items() == [tea, ice])
    }

    @Test("the interactor throws the error of a file that cannot be read")
    func failure() async {
        let error = ViperError(.fileDenied, operation: "cannot read file", subject: "items.json", cause: "of the test")
        let interactor = ListInteractor(files: FakeFileReader(failing: "items.json", with: error))
        await #expect(throws: error) { try await interactor.items() }
    }
}

@MainActor
struct ListPresenterTests {
    private struct Interactor: ListInteracting {
        var result: Result<[Item], ViperError> = .success([tea, ice])
        func items() async throws(ViperError) -> [Item] { try result.get() }
    }

    private final class Spy: ListViewing {
        var calls: [String] = []
        var sections: [Section] = []
        var alert: Alert?
        func showLoading() { calls.append("loading") }
        func show(_ sections: [Section]) { (self.sections, calls) = (sections, calls + ["sections"]) }
        func show(_ text: String) { calls.append(text) }
        func show(_ alert: Alert) { (self.alert, calls) = (alert, calls + ["alert"]) }
    }

    private final class Exit: ListNavigating {
        var closes = 0
        func close() async { closes += 1 }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(_ interactor: Interactor = Interactor()) -> ListPresenter {
        let presenter = ListPresenter(interactor: interactor, wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("groups are sorted by name")
    func grouping() async {
        await presenter().load()
        #expect(spy.calls == ["loading", "sections"])
        #expect(
            spy.sections == [
                Section(title: "Cold", rows: [Row(id: "1", title: "Ice")]),
                Section(title: "Warm", rows: [Row(id: "0", title: "Tea")]),
            ])
    }

    @Test("selecting a row shows its detail, and an unknown row is ignored")
    func selecting() async {
        let presenter = presenter()
        await presenter.load()
        for row in ["1", "2", "-1", "01", "tea"] { await presenter.handle(.select(row: row)) }
        #expect(spy.calls == ["loading", "sections", "Ice: Lemon"])
    }

    @Test("if the items cannot be read, an alert states the reason")
    func failure() async {
        let error = ViperError(.fileMissing, operation: "cannot read file", subject: "items.json", cause: "of the test")
        await presenter(Interactor(result: .failure(error))).load()
        #expect(spy.calls == ["loading", "alert"])
        #expect(spy.alert?.message == "cannot read file \"items.json\": of the test")
    }

    @Test("only the close action closes the scene")
    func closing() async {
        let presenter = presenter()
        await presenter.handle(.press(action: "other"))
        #expect(exit.closes == 0)
        await presenter.press(.close)
        #expect(exit.closes == 1)
    }
}

@MainActor
struct ListViewTests {
    private final class Spy: ListPresenting {
        var calls: [String] = []
        func load() async { calls.append("load") }
        func select(_ row: Int) { calls.append("select \(row)") }
        func press(_ action: ListAction) async { calls.append("press \(action)") }
    }

    @Test("the view passes only loading, selections and presses to the presenter")
    func events() async {
        let spy = Spy()
        let view = ListView(presenter: spy)
        await view.load()
        await view.handle(.select(row: "1"))
        await view.handle(.press(action: "close"))
        await view.handle(.fill(field: "name", text: "Ada"))
        #expect(spy.calls == ["load", "select 1", "press close"])
    }

    @Test("the view shows sections, texts and alerts")
    func showing() {
        let view = ListView(presenter: Spy())
        view.showLoading()
        #expect(view.screen.isLoading)
        view.show([])
        #expect(view.screen.emptyText != nil && !view.screen.isLoading)
        view.show([Section(rows: [Row(id: "0", title: "Tea")])])
        #expect(view.screen.sections.count == 1 && view.screen.emptyText == nil)
        view.show("Tea: Green")
        #expect(view.screen.text == "Tea: Green")
        view.show(Alert(title: "No", message: nil, actions: []))
        #expect(view.screen.alert?.title == "No" && view.screen.actions.isEmpty)
    }
}

@MainActor
struct ListWireframeTests {
    @Test("the wireframe closes its scene")
    func close() async {
        let navigator = RecordingNavigator()
        await ListWireframe(navigator: navigator).close()
        #expect(navigator.calls == [.close(result: nil)])
    }
}
