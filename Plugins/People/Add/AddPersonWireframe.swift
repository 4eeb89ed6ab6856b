import ViperKit

final class AddPersonWireframe: Wireframe, AddPersonNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(people: any PersonService, navigator: any Navigator) -> any View {
        let presenter = AddPersonPresenter(
            interactor: AddPersonInteractor(service: people), wireframe: AddPersonWireframe(navigator: navigator))
        let view = AddPersonView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close(returning person: Person?) async throws(ViperError) { try await navigator.close(returning: person) }
}
