import ViperKit

final class CompanySearchWireframe: Wireframe, CompanySearchNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(_ search: CompanySearchRoute, files: any FileReader, navigator: any Navigator) -> any View {
        let presenter = CompanySearchPresenter(
            text: search.text ?? "", interactor: CompanyListInteractor(files: files),
            wireframe: CompanySearchWireframe(navigator: navigator))
        let view = CompanySearchView(presenter: presenter)
        presenter.view = view
        return view
    }

    func openPerson(_ id: String) async throws(ViperError) { try await navigator.open(PersonRoute(id: id), as: .push) }

    func openChart() async throws(ViperError) { try await navigator.open(BalanceChartRoute(), as: .push) }
}
