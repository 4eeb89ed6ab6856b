import Observation
import ViperKit

@Observable
final class BalanceChartView: View, BalanceChartViewing {
    private(set) var screen = Screen(title: "Balances by company")
    private let presenter: any BalanceChartPresenting

    init(presenter: any BalanceChartPresenting) {
        self.presenter = presenter
        screen.actions = [Action(BalanceChartAction.refresh), Action(BalanceChartAction.close)]
    }

    func load() async { await presenter.load() }
    func handle(_ event: Event) async { await presenter.handle(event) }

    func showLoading() { screen.begin("Adding the balances") }

    func show(_ chart: Section) {
        screen.end()
        screen.sections = chart.rows.isEmpty ? [] : [chart]
        screen.emptyText = chart.footer ?? "No content to show"
    }

    func show(_ alert: Alert?) {
        screen.end()
        screen.alert = alert
    }
}
