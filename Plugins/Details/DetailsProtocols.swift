import ViperKit

// The interfaces between the roles of the details. The presenter uses `DetailsViewing` and `DetailsNavigating`. The view
// uses `DetailsPresenting`. There is no interactor, because the route's parameters contain everything.

@MainActor
protocol DetailsViewing: AnyObject {
    func show(title: String, _ rows: [Row], _ actions: [DetailsAction])
    func show(_ alert: Alert?)
}

protocol DetailsPresenting: Presenter where SceneAction == DetailsAction {}

@MainActor
protocol DetailsNavigating: AnyObject {
    /// Closes the scene.
    ///
    /// - Parameter action: The chosen action for the scene below. Nil if the user only goes back.
    func close(choosing action: String?) async throws(ViperError)
}

/// An action that another module names, or the one that goes back.
struct DetailsAction: ActionID {
    static let close = DetailsAction(rawValue: "close")
    static let dismiss = DetailsAction(rawValue: "dismiss")

    let rawValue: String

    var role: Action.Role? {
        switch rawValue {
        case "close", "dismiss": .cancel
        case "remove", "delete": .destructive
        default: nil
        }
    }
}
