import ViperKit

/// Assembles the detail's roles, and navigates from it.
final class PersonWireframe: Wireframe, PersonNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(place: Int, files: any FileReader, navigator: any Navigator) -> any View {
        let presenter = PersonPresenter(
            place: place, interactor: PersonInteractor(files: files), wireframe: PersonWireframe(navigator: navigator))
        let view = PersonView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close() async { await navigator.close() }
}
