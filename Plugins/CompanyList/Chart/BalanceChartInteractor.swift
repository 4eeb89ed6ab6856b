import ViperKit

struct BalanceChartInteractor: Interactor, BalanceChartInteracting {
    let people: any CompanyListInteracting

    func balances() async throws(ViperError) -> Balances { await Balances.balances(of: try await people.people()) }
}
