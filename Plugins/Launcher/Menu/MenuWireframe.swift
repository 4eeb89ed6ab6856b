import ViperKit

final class MenuWireframe: Wireframe, MenuNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(registry: any ModuleRegistry, navigator: any Navigator) -> any View {
        let presenter = MenuPresenter(
            interactor: MenuInteractor(registry: registry), wireframe: MenuWireframe(navigator: navigator))
        let view = MenuView(presenter: presenter)
        presenter.view = view
        return view
    }

    func open(_ address: String) async throws(ViperError) { try await navigator.open(address, as: .push) }
}
