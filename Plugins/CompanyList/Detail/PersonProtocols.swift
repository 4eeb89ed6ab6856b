import ViperKit

// The interfaces between the roles of the person. The presenter uses `PersonViewing`, `PersonInteracting` and
// `PersonNavigating`. The view uses `PersonPresenting`.

/// The view shows only what happens before the details open in its place.
@MainActor
protocol PersonViewing: AnyObject {
    func showLoading()
    func show(_ alert: Alert)
}

protocol PersonPresenting: Presenter where SceneAction == PersonAction {}

protocol PersonInteracting: Sendable {
    /// Returns the person with this ID, or nil if the file does not contain the person.
    func person(_ id: String) async throws(ViperError) -> PersonDetail?
}

@MainActor
protocol PersonNavigating: AnyObject {
    /// Shows details in a scene of another module, in place of this one.
    func show(title: String, _ details: [(label: String, value: String)]) async throws(ViperError)
    func close() async
}

enum PersonAction: String, ActionID {
    case close, retry

    var role: Action.Role? { self == .close ? .cancel : .refresh }
}
