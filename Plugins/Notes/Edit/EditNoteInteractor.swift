import ViperKit

struct EditNoteInteractor: Interactor, EditNoteInteracting {
    /// The ID of the note. Nil to write a new one.
    let id: String?
    let store: any NoteStore

    func note() async throws(ViperError) -> Note? {
        if let id { try await store.note(id) } else { nil }
    }

    func save(title: String, text: String, day: String?) async throws(ViperError) {
        if let id { return try await store.replace(Note(id: id, title: title, text: text, day: day)) }
        // 64 random bits: among a million notes, the probability of a duplicate ID is about 1 in 40 million. The store
        // refuses a duplicate.
        let new = String(UInt64.random(in: .min ... .max), radix: 16)
        try await store.add(Note(id: new, title: title, text: text, day: day))
    }
}
