import ViperKit

final class BalanceChartWireframe: Wireframe, BalanceChartNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(files: any FileReader, navigator: any Navigator) -> any View {
        let presenter = BalanceChartPresenter(
            interactor: BalanceChartInteractor(people: CompanyListInteractor(files: files)),
            wireframe: BalanceChartWireframe(navigator: navigator))
        let view = BalanceChartView(presenter: presenter)
        presenter.view = view
        return view
    }

    func openCompany(_ name: String) async throws(ViperError) {
        try await navigator.open(CompanySearchRoute(text: name), as: .push)
    }

    func close() async { await navigator.close() }
}
