import ViperKit

final class CompanyListWireframe: Wireframe, CompanyListNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(files: any FileReader, navigator: any Navigator) -> any View {
        let presenter = CompanyListPresenter(
            interactor: CompanyListInteractor(files: files), wireframe: CompanyListWireframe(navigator: navigator))
        let view = CompanyListView(presenter: presenter)
        presenter.view = view
        return view
    }

    func openPerson(_ id: String) async throws(ViperError) {
        try await navigator.open(PersonRoute(id: id), as: .push)
    }

    func close() async { await navigator.close() }
}
