/// An action that the user can choose.
public struct Action: Sendable, Equatable, Codable {
    /// The ID that ``Event/press(action:)`` refers to. It must be unique on the screen.
    public var id: String
    /// The display text.
    public var title: String

    /// Creates an action.
    public init(id: String, title: String) { (self.id, self.title) = (id, title) }
}
