import ViperKit

// What the roles of the detail know of each other.

/// What the presenter asks of the view.
@MainActor
protocol PersonViewing: AnyObject {
    func show(title: String, _ fields: [Row])
    func show(_ alert: Alert)
}

/// What the view asks of the presenter.
@MainActor
protocol PersonPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol PersonInteracting: Sendable {
    /// Returns the person with this id; nil if the file has none.
    func person(_ id: String) async throws(ViperError) -> PersonDetail?
}

/// What the presenter asks of the wireframe.
@MainActor
protocol PersonNavigating: AnyObject {
    func close() async
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum PersonAction {
    static let close = Action(id: "close", title: "Close")
    static let retry = Action(id: "retry", title: "Retry")
}
