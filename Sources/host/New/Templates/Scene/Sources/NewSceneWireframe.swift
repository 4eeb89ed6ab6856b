import ViperKit

/// The scene's wireframe. It assembles the roles and closes the scene.
final class NewSceneWireframe: Wireframe, NewSceneNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(navigator: any Navigator) -> any View {
        let presenter = NewScenePresenter(
            interactor: NewSceneInteractor(),
            wireframe: NewSceneWireframe(navigator: navigator))
        let view = NewSceneView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close() async { await navigator.close() }
}
