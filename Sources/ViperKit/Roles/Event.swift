/// An event that a view handles, usually caused by a user. Events refer to parts of the screen by their names and IDs.
///
/// Later versions may add events: end each `switch` over this type with `default`.
public enum Event: Sendable, Equatable {
    /// Text entered into a form field. The view copies the text into the field's value to display it.
    case fill(field: String, text: String)
    /// A press of an action on the screen or its alert.
    case press(action: String)
    /// The selection of a row.
    case select(row: String)
    /// The result of the scene above, opened by the route `from`, after it closed. Only the host sends this event.
    case returned(from: String, result: SceneResult)
}
