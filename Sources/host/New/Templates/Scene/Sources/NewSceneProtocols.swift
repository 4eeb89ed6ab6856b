import ViperKit

// The interfaces between the roles of the scene. They allow a test to replace the other roles with fakes.

/// The presenter's interface to the view.
@MainActor
protocol NewSceneViewing: AnyObject {
    func showLoading()
    func show(_ rows: [Row])
    func show(_ alert: Alert)
}

/// The view's interface to the presenter.
protocol NewScenePresenting: Presenter where SceneAction == NewSceneAction {}

/// The presenter's interface to the interactor.
protocol NewSceneInteracting: Sendable {
    func lines() async throws(ViperError) -> [String]
}

/// The presenter's interface to the wireframe.
@MainActor
protocol NewSceneNavigating: AnyObject {
    func close() async
}

/// The scene's actions. The view or an alert offers them, and the presenter performs them.
enum NewSceneAction: String, ActionID {
    case close
}
