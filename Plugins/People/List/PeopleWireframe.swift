import ViperKit

final class PeopleWireframe: Wireframe, PeopleNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(olderThan age: Int?, people: any PersonService, navigator: any Navigator) -> any View {
        let presenter = PeoplePresenter(
            olderThan: age, interactor: PeopleInteractor(service: people),
            wireframe: PeopleWireframe(navigator: navigator))
        let view = PeopleView(presenter: presenter)
        presenter.view = view
        return view
    }

    func addPerson() async throws(ViperError) {
        try await navigator.open(AddPersonRoute(), as: .push)
    }
}
