import Testing
import ViperKit
import ViperTesting

@testable import Details

@MainActor
struct DetailsTests {
    private func opened(_ details: DetailsRoute) async throws -> TestScene {
        try await TestHost(DetailsModule.self, manifest: "details.json") { _ in }.open(details)
    }

    @Test("The screen shows the title, the values with their labels, and the actions")
    func screen() async throws {
        let scene = try await opened(
            DetailsRoute(title: "Ada", labels: ["Age"], values: ["36", "likes tea"], actions: ["remove"]))
        #expect(
            scene.text == """
                Ada
                  Age   36
                  likes tea
                  [remove] Remove
                  [close] Close

                """)
        #expect(scene.screen.sections[0].rows.allSatisfy { !$0.isSelectable })
        #expect(scene.screen.actions.map(\.role) == [.destructive, .cancel])
        await scene.expectDeallocated()
    }

    @Test("Details without values show only the title, and an unknown action does nothing")
    func empty() async throws {
        let scene = try await opened(
            DetailsRoute(title: "Ada", labels: ["Age"], values: [], actions: ["close", "dismiss"]))
        #expect(scene.text == "Ada\n  [close] Close\n")
        try await scene.press("close")
        #expect(scene.steps.last == "pop details")
    }

    private final class Spy: DetailsViewing {
        var alert: Alert?
        var shown = 0
        func show(title: String, _ rows: [Row], _ actions: [DetailsAction]) { (alert, shown) = (nil, shown + 1) }
        func show(_ alert: Alert?) { self.alert = alert }
    }

    private final class Exit: DetailsNavigating {
        var chosen: [String?] = []
        var failure: ViperError?
        func close(choosing action: String?) async throws(ViperError) {
            chosen.append(action)
            if let failure { throw failure }
        }
    }

    @Test("The chosen action goes to the scene below, and a failure is shown")
    func choosing() async {
        let (spy, exit) = (Spy(), Exit())
        let presenter = DetailsPresenter(
            DetailsRoute(title: "Ada", labels: [], values: [], actions: ["remove"]), wireframe: exit)
        presenter.view = spy
        await presenter.press(DetailsAction(rawValue: "other"))
        #expect(exit.chosen == [])
        await presenter.press(.close)
        await presenter.press(DetailsAction(rawValue: "remove"))
        #expect(exit.chosen == [nil, "remove"])
        exit.failure = ViperError(.jsonInvalid, operation: "cannot return", subject: "it", cause: "of the test")
        await presenter.press(.close)
        #expect(spy.alert?.title == "Cannot go back")
        await presenter.press(.dismiss)
        #expect(spy.alert == nil && spy.shown == 1)
    }

    @Test("The wireframe closes the scene with the chosen action")
    func wireframe() async throws {
        let navigator = RecordingNavigator()
        try await DetailsWireframe(navigator: navigator).close(choosing: "remove")
        try await DetailsWireframe(navigator: navigator).close(choosing: nil)
        #expect(navigator.calls == [.close(result: try TestResult.of("remove")), .close(result: nil)])
    }
}
