/// An event for a view to handle, usually caused by the user. Events identify parts of the screen by name or ID.
///
/// Later versions may add cases, so include a `default` case in each `switch` over this type.
public enum Event: Sendable, Equatable {
    /// Text that the user entered into a form field. To display the text, the view stores it in the field's value.
    case fill(field: String, text: String)
    /// A press of an action on the screen or in its alert.
    case press(action: String)
    /// The selection of a row.
    case select(row: String)
    /// A press of an action of a row.
    case act(row: String, action: String)
    /// The result of the scene above, sent after that scene has closed. `from` is the route of the closed scene. Only
    /// the host sends this event.
    case returned(from: String, result: SceneResult)
}
