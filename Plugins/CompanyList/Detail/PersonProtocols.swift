import ViperKit

// The interfaces between the roles of the detail screen. The presenter uses `PersonViewing`, `PersonInteracting` and
// `PersonNavigating`; the view uses `PersonPresenting`.

@MainActor
protocol PersonViewing: AnyObject {
    func show(title: String, _ fields: [Row])
    func show(_ alert: Alert)
}

@MainActor
protocol PersonPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
}

protocol PersonInteracting: Sendable {
    /// Returns the person with the given ID, or nil if the file has none.
    func person(_ id: String) async throws(ViperError) -> PersonDetail?
}

@MainActor
protocol PersonNavigating: AnyObject {
    func close() async
}

enum PersonAction {
    static let close = Action(id: "close", title: "Close")
    static let retry = Action(id: "retry", title: "Retry")
}
