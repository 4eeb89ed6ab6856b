import ViperKit

// The interfaces between the roles of the chart. The presenter uses `BalanceChartViewing`, `BalanceChartInteracting` and
// `BalanceChartNavigating`. The view uses `BalanceChartPresenting`.

@MainActor
protocol BalanceChartViewing: AnyObject {
    func showLoading()
    func show(_ chart: Section)
    /// Shows an alert above the chart. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

/// The presenter's interface for the view. The ID of each row is a company's name.
protocol BalanceChartPresenting: Presenter where SceneAction == BalanceChartAction, SceneRow == String {}

protocol BalanceChartInteracting: Sendable {
    /// Returns the balances of all companies, the largest first.
    func balances() async throws(ViperError) -> Balances
}

@MainActor
protocol BalanceChartNavigating: AnyObject {
    /// Opens the people of a company.
    func openCompany(_ name: String) async throws(ViperError)
    func close() async
}

enum BalanceChartAction: String, ActionID {
    case more, refresh, close, dismiss

    var title: String {
        switch self {
        case .more: "More companies"
        case .refresh: "Refresh"
        case .close: "Close"
        case .dismiss: "Back to the chart"
        }
    }

    var role: Action.Role? {
        switch self {
        case .more: nil
        case .refresh: .refresh
        case .close, .dismiss: .cancel
        }
    }

    var key: String? {
        switch self {
        case .more: "m"
        case .refresh: "r"
        default: nil
        }
    }
}
