import ViperKit

/// The route that shows the balances of the companies as a chart. It has no parameters.
struct BalanceChartRoute: RouteArguments {
    static let route = "list/chart"
}
