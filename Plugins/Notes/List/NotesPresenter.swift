import ViperKit

final class NotesPresenter: NotesPresenting {
    weak var view: (any NotesViewing)?
    private let interactor: any NotesInteracting
    private let wireframe: any NotesNavigating
    private let reads = LatestReads()
    private var list = NoteList()
    /// The note whose deletion the user was asked to confirm.
    private var doomed: Note?

    init(interactor: any NotesInteracting, wireframe: any NotesNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        reads.follow(interactor.changes()) { [weak self] in await self?.read() }
        view?.showLoading()
        await read()
    }

    private func read() async {
        do {
            let search = list.search
            let notes = try await reads.latest { () async throws(ViperError) in
                try await interactor.notes(containing: search)
            }
            guard let notes else { return }
            list.notes = notes
            view?.show(list.section, search: list.search)
        } catch {
            view?.show(
                Alert(
                    title: "Cannot read the notes", message: error.description,
                    actions: [NotesAction.retry, .dismiss]))
        }
    }

    func fill(_ field: NotesField, with text: String) async {
        list.search = text
        view?.show(message: nil)
        await read()
    }

    func press(_ action: NotesAction) async {
        view?.show(message: nil)
        switch action {
        case .write:
            await attempt("Cannot write a note") { () async throws(ViperError) in try await wireframe.edit(nil) }
        case .more:
            list.showMore()
            view?.show(list.section, search: list.search)
        case .retry: await load()
        case .dismiss: view?.show(nil)
        case .delete: break
        }
    }

    func select(_ id: String) async {
        view?.show(message: nil)
        await attempt("Cannot open the note") { () async throws(ViperError) in try await wireframe.edit(id) }
    }

    func act(_ action: NotesAction, on id: String) async {
        view?.show(message: nil)
        guard action == .delete, let note = list.notes.first(where: { $0.id == id }) else { return }
        doomed = note
        await attempt("Cannot ask whether to delete the note") { () async throws(ViperError) in
            try await wireframe.confirmDeletion(of: note)
        }
    }

    func returned(from route: String, result: SceneResult) async {
        switch route {
        case EditNoteRoute.route:
            await read()
            if let title = try? result.decode(String.self) { view?.show(message: "Saved \(title)") }
        case OtherRoute.alert:
            guard let note = doomed, (try? result.decode(Bool.self)) == true else { return }
            doomed = nil
            await attempt("Cannot delete \(note.title)") { () async throws(ViperError) in
                try await interactor.delete(note.id)
                view?.show(message: "Deleted \(note.title)")
            }
            await read()
        default: break
        }
    }

    /// Runs an attempt. If it fails, shows an alert with the title.
    private func attempt(_ title: String, _ body: () async throws(ViperError) -> Void) async {
        do { try await body() } catch {
            view?.show(Alert(title: title, message: error.description, actions: [NotesAction.dismiss]))
        }
    }
}
