import ViperKit

// The interfaces between the roles of the list. The presenter uses `NotesViewing`, `NotesInteracting` and
// `NotesNavigating`. The view uses `NotesPresenting`.

@MainActor
protocol NotesViewing: AnyObject {
    func showLoading()
    /// Shows notes, with the text that was searched for.
    func show(_ notes: Section, search: String)
    /// Shows an alert above the list. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
    /// Shows a short confirmation. If it is nil, removes the current one.
    func show(message: String?)
}

protocol NotesPresenting: Presenter
where SceneAction == NotesAction, SceneField == NotesField, SceneRow == String {}

protocol NotesInteracting: Sendable {
    /// Returns the notes that contain a text. All notes contain an empty text.
    func notes(containing search: String) async throws(ViperError) -> [Note]

    /// Deletes a note.
    func delete(_ id: String) async throws(ViperError)

    /// Returns a stream of future changes to the stored notes.
    func changes() -> AsyncStream<CollectionChange>
}

@MainActor
protocol NotesNavigating: AnyObject {
    /// Opens a note to edit it, or an empty note if the ID is nil.
    func edit(_ id: String?) async throws(ViperError)
    /// Asks in a scene of another module whether to delete a note. The scene returns true if the user confirms.
    func confirmDeletion(of note: Note) async throws(ViperError)
}

enum NotesAction: String, ActionID {
    case write, more, delete, retry, dismiss

    var title: String {
        switch self {
        case .write: "Write a note"
        case .more: "More notes"
        case .delete: "Delete"
        case .retry: "Retry"
        case .dismiss: "Back to the notes"
        }
    }

    var role: Action.Role? {
        switch self {
        case .write: .default
        case .delete: .destructive
        case .retry: .refresh
        case .dismiss: .cancel
        case .more: nil
        }
    }

    var key: String? {
        switch self {
        case .write: "n"
        case .more: "m"
        default: nil
        }
    }
}

enum NotesField: String, FieldID {
    case search

    var kind: Field.Kind { .search }
    var placeholder: String? { "text of a note" }
}
