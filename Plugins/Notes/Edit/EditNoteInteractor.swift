import ViperKit

struct EditNoteInteractor: Interactor, EditNoteInteracting {
    /// The ID of the note. Nil to write a new one.
    let id: String?
    let store: any NoteStore

    func note() async throws(ViperError) -> Note? {
        if let id { try await store.note(id) } else { nil }
    }

    func save(title: String, text: String, day: String?, insteadOf shown: Note?) async throws(ViperError) {
        if let id {
            // A form that saves at the same moment is not noticed, because a data provider replaces without a condition.
            if let stored = try await store.note(id), stored != shown { throw Self.changed(id) }
            return try await store.replace(Note(id: id, title: title, text: text, day: day))
        }
        // 64 random bits: among a million notes, the probability of a duplicate ID is about 1 in 40 million. The store
        // refuses a duplicate.
        let new = String(UInt64.random(in: .min ... .max), radix: 16)
        try await store.add(Note(id: new, title: title, text: text, day: day))
    }

    private static func changed(_ id: String) -> ViperError {
        ViperError(
            .noteChanged, operation: "cannot replace note", subject: id,
            cause: "somebody has changed it since this form was opened",
            fix: "open the note again to see the other change, or save once more to replace it")
    }
}

extension ViperError.Code {
    /// Somebody else has changed a note since its form was opened.
    static var noteChanged: Self { Self("note-changed", .usage) }
}
