import ViperKit

// The interfaces between the roles of the detail screen. The presenter uses `TodoViewing`, `TodoInteracting` and
// `TodoNavigating`; the view uses `TodoPresenting`.

@MainActor
protocol TodoViewing: AnyObject {
    func showLoading()
    func show(_ fields: [Row])
    func show(_ alert: Alert)
}

@MainActor
protocol TodoPresenting: AnyObject {
    func load() async
    func press(_ action: String) async
}

protocol TodoInteracting: Sendable {
    func todo(_ id: Int) async throws(ViperError) -> Todo
}

@MainActor
protocol TodoNavigating: AnyObject {
    func close() async
}

enum TodoAction {
    static let close = Action(id: "close", title: "Close")
    static let retry = Action(id: "retry", title: "Retry")
}
