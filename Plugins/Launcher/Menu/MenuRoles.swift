import ViperKit

// The interfaces between the roles of the menu. The presenter uses `MenuViewing`, `MenuInteracting` and `MenuNavigating`.
// The view uses `MenuPresenting`.

@MainActor
protocol MenuViewing: AnyObject {
    func show(_ sections: [Section])
    /// Shows an alert above the menu. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

protocol MenuPresenting: Presenter where SceneAction == MenuAction, SceneRow == String {}

protocol MenuInteracting: Sendable {
    /// Returns the entries, sorted by title. Entries that cannot be used come last.
    func entries() async throws(ViperError) -> [MenuEntry]

    /// Returns a sequence with an element now, and after each change of the entries.
    func changes() -> AsyncStream<Void>
}

@MainActor
protocol MenuNavigating: AnyObject {
    func open(_ address: String) async throws(ViperError)
}

enum MenuAction: String, ActionID {
    case retry, dismiss

    var title: String {
        switch self {
        case .retry: "Retry"
        case .dismiss: "Back to the menu"
        }
    }

    var role: Action.Role? { self == .retry ? .refresh : .cancel }
}
