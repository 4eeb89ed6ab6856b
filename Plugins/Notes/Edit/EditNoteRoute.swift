import ViperKit

/// The parameters of the route that edits a note.
struct EditNoteRoute: RouteArguments {
    static let route = "notes/edit"

    /// The ID of the note. Nil to write a new one.
    var id: String?
}
