import Observation
import ViperKit

/// The scene's view. It describes the screen and passes the user's input to the presenter.
@Observable
final class NewSceneView: View, NewSceneViewing {
    private(set) var screen = Screen(title: "New scene")
    private let presenter: any NewScenePresenting

    init(presenter: any NewScenePresenting) {
        self.presenter = presenter
        screen.actions = [Action(NewSceneAction.close)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() { screen.isLoading = true }

    func show(_ rows: [Row]) {
        screen.isLoading = false
        screen.sections = [Section(rows: rows)]
    }

    func show(_ alert: Alert) {
        screen.isLoading = false
        // Only the alert's actions remain available.
        screen.actions = []
        screen.alert = alert
    }
}
