import ViperKit

final class LoginWireframe: Wireframe, LoginNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(
        api: any AccountAPIDataManaging, local: any AccountLocalDataManaging, navigator: any Navigator
    ) -> any View {
        let presenter = LoginPresenter(
            interactor: LoginInteractor(api: api, local: local), wireframe: LoginWireframe(navigator: navigator))
        let view = LoginView(presenter: presenter)
        presenter.view = view
        return view
    }

    func showHome() async throws(ViperError) { try await navigator.open(HomeRoute(), as: .replaceRoot) }
}
