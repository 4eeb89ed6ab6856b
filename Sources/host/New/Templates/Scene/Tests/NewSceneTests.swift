import Testing
import ViperKit
import ViperTesting

@testable import SceneTemplate

@MainActor
struct NewSceneTests {
    private struct Interactor: NewSceneInteracting {
        var result: Result<[String], ViperError>
        func lines() async throws(ViperError) -> [String] { try result.get() }
    }

    private final class Spy: NewSceneViewing {
        var calls: [String] = []
        func showLoading() { calls.append("loading") }
        func show(_ rows: [Row]) { calls += rows.map { "\($0.id) \($0.title)" } }
        func show(_ alert: Alert) { calls.append(alert.message ?? "") }
    }

    private final class Exit: NewSceneNavigating {
        var closes = 0
        func close() async { closes += 1 }
    }

    private let spy = Spy()
    private let exit = Exit()

    private func presenter(_ result: Result<[String], ViperError>) -> NewScenePresenter {
        let presenter = NewScenePresenter(interactor: Interactor(result: result), wireframe: exit)
        presenter.view = spy
        return presenter
    }

    @Test("the presenter shows a row for each line, and closes the scene")
    func rows() async {
        let presenter = presenter(.success(["One", "Two"]))
        await presenter.load()
        #expect(spy.calls == ["loading", "0 One", "1 Two"])
        await presenter.press(.close)
        #expect(exit.closes == 1)
    }

    @Test("if the lines cannot be read, an alert states the reason")
    func failure() async {
        let error = ViperError(.fileMissing, operation: "cannot read file", subject: "lines", cause: "of the test")
        await presenter(.failure(error)).load()
        #expect(spy.calls == ["loading", "cannot read file \"lines\": of the test"])
    }

    @Test("all roles together show the screen, and close it")
    func scene() async {
        let navigator = RecordingNavigator()
        let view = NewSceneWireframe.assemble(navigator: navigator)
        await view.load()
        #expect(view.screen.title == "New scene" && view.screen.sections.first?.rows.count == 1)
        #expect(!view.screen.isLoading)
        await view.handle(.press(action: "close"))
        #expect(navigator.calls == [.close(result: nil)])
    }
}
