import ViperKit

/// The module's store of notes. Interactors use this protocol, so they do not depend on records and collections.
protocol NoteStore: Sendable {
    /// Returns all notes, in the order in which they were added.
    func notes() async throws(ViperError) -> [Note]

    /// Returns a note, or nil if it does not exist.
    func note(_ id: String) async throws(ViperError) -> Note?

    /// Adds a note with a new ID.
    func add(_ note: Note) async throws(ViperError)

    /// Stores a note in place of the note with the same ID.
    ///
    /// - Throws: ``ViperError/Code/recordMissing`` if somebody has deleted the note.
    func replace(_ note: Note) async throws(ViperError)

    /// Deletes a note.
    ///
    /// - Throws: ``ViperError/Code/recordMissing`` if somebody else has deleted the note.
    func delete(_ id: String) async throws(ViperError)

    /// Returns a stream of future changes to the stored notes. To avoid missing a change, call this method before reading
    /// the notes.
    func changes() -> AsyncStream<CollectionChange>
}

/// A store of notes in the data provider's collection `notes`.
struct ProvidedNoteStore: NoteStore {
    static let collection = "notes"

    let provider: any DataProvider

    func notes() async throws(ViperError) -> [Note] {
        try await provider.all(Note.self, in: Self.collection)
    }

    func note(_ id: String) async throws(ViperError) -> Note? {
        try await provider.find(Note.self, id: id, in: Self.collection)
    }

    func add(_ note: Note) async throws(ViperError) { try await provider.insert(note, into: Self.collection) }

    func replace(_ note: Note) async throws(ViperError) { try await provider.replace(note, in: Self.collection) }

    func delete(_ id: String) async throws(ViperError) {
        try await provider.delete(id: id, from: Self.collection)
    }

    func changes() -> AsyncStream<CollectionChange> { provider.changes(in: Self.collection) }
}
