import ViperKit

// The interfaces between the roles of the detail screen. The presenter uses `TodoViewing`, `TodoInteracting` and
// `TodoNavigating`. The view uses `TodoPresenting`.

@MainActor
protocol TodoViewing: AnyObject {
    func showLoading()
    func show(_ fields: [Row])
    func show(_ alert: Alert)
}

protocol TodoPresenting: Presenter where SceneAction == TodoAction {}

protocol TodoInteracting: Sendable {
    func todo(_ id: Int) async throws(ViperError) -> Todo
}

@MainActor
protocol TodoNavigating: AnyObject {
    func close() async
}

enum TodoAction: String, ActionID {
    case close, retry

    var role: Action.Role? { self == .close ? .cancel : .refresh }
}
