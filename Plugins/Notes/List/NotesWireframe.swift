import ViperKit

final class NotesWireframe: Wireframe, NotesNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(notes: any NoteStore, navigator: any Navigator) -> any View {
        let presenter = NotesPresenter(
            interactor: NotesInteractor(store: notes), wireframe: NotesWireframe(navigator: navigator))
        let view = NotesView(presenter: presenter)
        presenter.view = view
        return view
    }

    func edit(_ id: String?) async throws(ViperError) { try await navigator.open(EditNoteRoute(id: id), as: .push) }

    func confirmDeletion(of note: Note) async throws(ViperError) {
        try await navigator.open(
            OtherRoute.alert,
            parameters: [
                "title": .string("Delete \(note.title)?"), "message": .string("This cannot be undone."),
                "confirm": .string("Delete"), "destructive": .boolean(true),
            ], as: .present)
    }
}
