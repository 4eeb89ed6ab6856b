import ViperKit

// The interfaces between the roles of the search. The presenter uses `CompanySearchViewing`, `CompanyListInteracting` and
// `CompanySearchNavigating`. The view uses `CompanySearchPresenting`.

@MainActor
protocol CompanySearchViewing: AnyObject {
    func showLoading()
    /// Shows the text of the search.
    func show(search: String)
    func show(_ people: [Section], emptyText: String)
    /// Shows an alert above the list. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

/// The presenter's interface for the view. The ID of each row is a person's ID.
protocol CompanySearchPresenting: Presenter
where SceneAction == CompanySearchAction, SceneField == CompanySearchField, SceneRow == String {}

@MainActor
protocol CompanySearchNavigating: AnyObject {
    func openPerson(_ id: String) async throws(ViperError)
    func openChart() async throws(ViperError)
}

enum CompanySearchAction: String, ActionID {
    case chart, more, refresh, dismiss

    var title: String {
        switch self {
        case .chart: "Balances by company"
        case .more: "More people"
        case .refresh: "Refresh"
        case .dismiss: "Back to the list"
        }
    }

    var role: Action.Role? {
        switch self {
        case .chart, .more: nil
        case .refresh: .refresh
        case .dismiss: .cancel
        }
    }

    var key: String? {
        switch self {
        case .chart: "b"
        case .more: "m"
        case .refresh: "r"
        case .dismiss: nil
        }
    }
}

enum CompanySearchField: String, FieldID {
    case search

    var kind: Field.Kind { .search }
    var placeholder: String? { "name of a person or company" }
}
