import ViperKit

final class LoginWireframe: Wireframe, LoginNavigating {
    private let returns: Bool
    private let navigator: any Navigator

    init(_ arguments: LoginRoute, navigator: any Navigator) {
        (returns, self.navigator) = (arguments.returns ?? false, navigator)
    }

    static func assemble(
        _ arguments: LoginRoute, api: any AccountAPIDataManaging, local: any AccountLocalDataManaging,
        navigator: any Navigator
    ) -> any View {
        let presenter = LoginPresenter(
            interactor: LoginInteractor(api: api, local: local),
            wireframe: LoginWireframe(arguments, navigator: navigator))
        let view = LoginView(presenter: presenter)
        presenter.view = view
        return view
    }

    func goOn() async throws(ViperError) {
        if returns { return try await navigator.close(returning: true) }
        try await navigator.open(HomeRoute(), as: .replaceRoot)
    }
}
