import ViperKit

struct NotesInteractor: Interactor, NotesInteracting {
    let store: any NoteStore

    func notes(containing search: String) async throws(ViperError) -> [Note] {
        try await store.notes().filter { $0.contains(search) }
    }

    func delete(_ id: String) async throws(ViperError) { try await store.delete(id) }

    func changes() -> AsyncStream<CollectionChange> { store.changes() }
}
