import ViperKit

/// The list's wireframe. It assembles the roles and closes the scene.
final class ListWireframe: Wireframe, ListNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(files: any FileReader, navigator: any Navigator) -> any View {
        let presenter = ListPresenter(
            interactor: ListInteractor(files: files), wireframe: ListWireframe(navigator: navigator))
        let view = ListView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close() async { await navigator.close() }
}
