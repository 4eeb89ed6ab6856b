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

    func showLoading() {
        (screen.isLoading, screen.alert) = (true, nil)
        screen.progress = Screen.Progress(text: "Adding the balances")
    }

    func show(_ chart: Section) {
        showEnd()
        screen.sections = chart.rows.isEmpty ? [] : [chart]
        screen.emptyText = chart.footer ?? "No content to show"
    }

    func show(_ alert: Alert?) {
        showEnd()
        screen.alert = alert
    }

    private func showEnd() { (screen.isLoading, screen.progress) = (false, nil) }
}
