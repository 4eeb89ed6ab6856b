import ViperKit

// The interfaces between the roles of the alert. The presenter uses `AlertViewing` and `AlertNavigating`. The view uses
// `AlertPresenting`. There is no interactor, because the route's parameters contain everything.

@MainActor
protocol AlertViewing: AnyObject {
    func show(title: String, message: String?, _ actions: [Action])
}

protocol AlertPresenting: Presenter where SceneAction == AlertAction {}

@MainActor
protocol AlertNavigating: AnyObject {
    /// Closes the scene. The scene below receives the answer.
    func close(returning isConfirmed: Bool) async throws(ViperError)
}

enum AlertAction: String, ActionID {
    case confirm, cancel

    var role: Action.Role? { self == .cancel ? .cancel : nil }
}
