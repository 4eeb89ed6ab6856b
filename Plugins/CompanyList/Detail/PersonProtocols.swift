import ViperKit

// The interfaces between the roles of the detail screen. The presenter uses `PersonViewing`, `PersonInteracting` and
// `PersonNavigating`. The view uses `PersonPresenting`.

@MainActor
protocol PersonViewing: AnyObject {
    func show(title: String, _ fields: [Row])
    func show(_ alert: Alert)
}

protocol PersonPresenting: Presenter where SceneAction == PersonAction {}

protocol PersonInteracting: Sendable {
    /// Returns the person with this ID, or nil if the file does not contain the person.
    func person(_ id: String) async throws(ViperError) -> PersonDetail?
}

@MainActor
protocol PersonNavigating: AnyObject {
    func close() async
}

enum PersonAction: String, ActionID {
    case close, retry
}
