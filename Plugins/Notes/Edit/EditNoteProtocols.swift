import ViperKit

// The interfaces between the roles of the form. The presenter uses `EditNoteViewing`, `EditNoteInteracting` and
// `EditNoteNavigating`. The view uses `EditNotePresenting`.

@MainActor
protocol EditNoteViewing: AnyObject {
    func show(_ form: Form, title: String)
    func show(_ alert: Alert?)
}

protocol EditNotePresenting: Presenter where SceneAction == EditNoteAction, SceneField == EditNoteField {}

protocol EditNoteInteracting: Sendable {
    /// Returns the note to edit. Nil if it is new, or if somebody has deleted it.
    func note() async throws(ViperError) -> Note?

    /// Stores the title, the text, and the day such as `2026-11-25`.
    ///
    /// - Parameter shown: The stored note that the user wants to replace. Nil if there is none.
    /// - Throws: ``ViperError/Code/noteChanged`` if the stored note is another one.
    func save(title: String, text: String, day: String?, insteadOf shown: Note?) async throws(ViperError)
}

@MainActor
protocol EditNoteNavigating: AnyObject {
    /// Closes the form. If the note was saved, passes its title to the scene below.
    func close(returning title: String?) async throws(ViperError)
}

enum EditNoteAction: String, ActionID {
    case save, cancel, dismiss

    var title: String {
        switch self {
        case .save: "Save"
        case .cancel: "Cancel"
        case .dismiss: "Back to the note"
        }
    }

    var role: Action.Role? { self == .save ? .default : .cancel }
}

enum EditNoteField: String, FieldID {
    case title, text, day

    var kind: Field.Kind {
        switch self {
        case .title: .text
        case .text: .multiline
        case .day: .date
        }
    }
    var isRequired: Bool { self == .title }
    var placeholder: String? { self == .day ? "2026-11-25, or empty" : nil }
}
