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

    func show(_ person: Person) async throws(ViperError) {
        let texts = { (texts: [String]) in ParameterValue.array(texts.map { .string($0) }) }
        try await navigator.open(
            OtherRoute.details,
            parameters: [
                "title": .string(person.name), "labels": texts(["Age"]), "values": texts(["\(person.age)"]),
                "actions": texts([OtherRoute.removal]),
            ], as: .push)
    }

    func confirmRemoval(of person: Person) async throws(ViperError) {
        try await navigator.open(
            OtherRoute.alert,
            parameters: [
                "title": .string("Remove \(person.name)?"), "message": .string("This cannot be undone."),
                "confirm": .string("Remove"), "destructive": .boolean(true),
            ], as: .present)
    }
}
