/// What happens to a screen: mostly what a person does. Names are those that the screen's parts carry.
///
/// More events may come: a `switch` over them ends with `default`.
public enum Event: Sendable, Equatable {
    /// Writes a text into a form's field. The view puts it into the field's value, so that it shows.
    case fill(field: String, text: String)
    /// Presses one of the screen's, the form's or the alert's actions.
    case press(action: String)
    /// Chooses a row.
    case select(row: String)
    /// A scene that lay above, opened by this route, has closed with a result. Comes from the host, never from a person.
    case returned(from: String, result: SceneResult)
}
