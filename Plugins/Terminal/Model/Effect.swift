import ViperKit

/// An effect of a key outside of the model.
enum Effect: Equatable {
    /// Sends an event to the topmost scene.
    case send(Event)
    /// Closes the topmost scene.
    case back
    /// Ends the session.
    case quit
    /// Edits the text of a field in the user's editor.
    case edit(field: String, text: String)
    /// Draws everything again.
    case redraw
}
