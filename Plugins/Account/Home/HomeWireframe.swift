import ViperKit

final class HomeWireframe: Wireframe, HomeNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(local: any AccountLocalDataManaging, navigator: any Navigator) -> any View {
        let presenter = HomePresenter(
            interactor: HomeInteractor(local: local), wireframe: HomeWireframe(navigator: navigator))
        let view = HomeView(presenter: presenter)
        presenter.view = view
        return view
    }

    func showLogin() async throws(ViperError) { try await navigator.open(LoginRoute(), as: .replaceRoot) }
}
