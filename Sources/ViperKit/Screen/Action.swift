/// Something that a person can do.
public struct Action: Sendable, Equatable, Codable {
    /// What ``Event/press(action:)`` names it by. Unique on the screen.
    public var id: String
    /// What a person reads.
    public var title: String

    /// An action.
    public init(id: String, title: String) { (self.id, self.title) = (id, title) }
}
