import ViperKit

final class DetailsWireframe: Wireframe, DetailsNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(_ details: DetailsRoute, navigator: any Navigator) -> any View {
        let presenter = DetailsPresenter(details, wireframe: DetailsWireframe(navigator: navigator))
        let view = DetailsView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close(choosing action: String?) async throws(ViperError) { try await navigator.close(returning: action) }
}
