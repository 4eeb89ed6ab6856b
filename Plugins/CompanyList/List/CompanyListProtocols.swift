import ViperKit

// The interfaces between the roles of the list. The presenter uses `CompanyListViewing`, `CompanyListInteracting` and
// `CompanyListNavigating`. The view uses `CompanyListPresenting`. Tests replace each role with a fake.

@MainActor
protocol CompanyListViewing: AnyObject {
    /// Shows work in progress.
    ///
    /// - Parameter text: A description of the work.
    func showLoading(_ text: String)
    func show(_ sections: [Section])
    /// Shows an alert above the list. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

/// The presenter's interface for the view. The ID of each row is a person's ID.
protocol CompanyListPresenting: Presenter where SceneAction == CompanyListAction, SceneRow == String {}

protocol CompanyListInteracting: Sendable {
    /// Returns all people in the order in which the file lists them.
    ///
    /// - Throws: ``ViperError/Code/recordExists`` if two people have the same ID. Another error if the file cannot be
    ///   read or decoded.
    func people() async throws(ViperError) -> [Person]
}

@MainActor
protocol CompanyListNavigating: AnyObject {
    func openPerson(_ id: String) async throws(ViperError)
    func close() async
}

enum CompanyListAction: String, ActionID {
    case close, retry, dismiss

    var title: String {
        switch self {
        case .close: "Close"
        case .retry: "Retry"
        case .dismiss: "Back to the list"
        }
    }

    var role: Action.Role? { self == .retry ? .refresh : .cancel }
}
