import ViperKit

final class EditNoteWireframe: Wireframe, EditNoteNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(_ id: String?, notes: any NoteStore, navigator: any Navigator) -> any View {
        let presenter = EditNotePresenter(
            interactor: EditNoteInteractor(id: id, store: notes), wireframe: EditNoteWireframe(navigator: navigator))
        let view = EditNoteView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close(returning title: String?) async throws(ViperError) { try await navigator.close(returning: title) }
}
