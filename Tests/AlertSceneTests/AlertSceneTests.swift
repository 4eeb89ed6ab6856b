import Testing
import ViperKit
import ViperTesting

@testable import AlertScene

@MainActor
struct AlertSceneTests {
    private let alert = AlertRoute(title: "Remove Ada?", message: "For ever.", confirm: "Remove", destructive: true)

    @Test("The screen asks the question with two answers")
    func screen() async throws {
        let scene = try await TestHost(AlertSceneModule.self, manifest: "alert.json") { _ in }.open(alert)
        #expect(scene.text == "Remove Ada?\nFor ever.\n  [confirm] Remove\n  [cancel] Cancel\n")
        #expect(scene.screen.actions.map(\.role) == [.destructive, .cancel])
        await scene.expectDeallocated()
    }

    @Test("The action that confirms is the default one, unless it removes something")
    func role() async throws {
        let host = try TestHost(AlertSceneModule.self, manifest: "alert.json") { _ in }
        let scene = try await host.open(
            AlertRoute(title: "Go on?", message: nil, confirm: "OK", destructive: false))
        #expect(scene.screen.actions.map(\.role) == [.default, .cancel])
    }

    private final class Spy: AlertViewing {
        var message: String?
        func show(title: String, message: String?, _ actions: [Action]) { self.message = message }
    }

    private final class Exit: AlertNavigating {
        var answers: [Bool] = []
        var failure: ViperError?
        func close(returning isConfirmed: Bool) async throws(ViperError) {
            answers.append(isConfirmed)
            if let failure { throw failure }
        }
    }

    @Test("Each answer goes to the scene below, and a failure is shown")
    func answers() async {
        let (spy, exit) = (Spy(), Exit())
        let presenter = AlertPresenter(alert, wireframe: exit)
        presenter.view = spy
        presenter.load()
        #expect(spy.message == "For ever.")
        await presenter.press(.confirm)
        await presenter.press(.cancel)
        #expect(exit.answers == [true, false])
        exit.failure = ViperError(.jsonInvalid, operation: "cannot return", subject: "it", cause: "of the test")
        await presenter.press(.confirm)
        #expect(spy.message == exit.failure?.description)
    }

    @Test("The wireframe closes the scene with the answer")
    func wireframe() async throws {
        let navigator = RecordingNavigator()
        try await AlertWireframe(navigator: navigator).close(returning: true)
        #expect(navigator.calls == [.close(result: try TestResult.of(true))])
    }
}
