import ViperKit

final class PersonWireframe: Wireframe, PersonNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(id: String, files: any FileReader, navigator: any Navigator) -> any View {
        let presenter = PersonPresenter(
            id: id, interactor: PersonInteractor(files: files), wireframe: PersonWireframe(navigator: navigator))
        let view = PersonView(presenter: presenter)
        presenter.view = view
        return view
    }

    func show(title: String, _ details: [(label: String, value: String)]) async throws(ViperError) {
        let texts = { (texts: [String]) in ParameterValue.array(texts.map { .string($0) }) }
        try await navigator.open(
            "details",
            parameters: [
                "title": .string(title), "labels": texts(details.map(\.label)), "values": texts(details.map(\.value)),
            ], as: .replace)
    }

    func close() async { await navigator.close() }
}
