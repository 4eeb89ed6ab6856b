import ViperKit

/// The form's wireframe. It assembles the roles and closes the scene.
final class FormWireframe: Wireframe, FormNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(provider: any DataProvider, navigator: any Navigator) -> any View {
        let presenter = FormPresenter(
            interactor: FormInteractor(provider: provider), wireframe: FormWireframe(navigator: navigator))
        let view = FormView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close(returning entry: Entry?) async throws(ViperError) {
        try await navigator.close(returning: entry)
    }
}
