/// A message in front of the screen.
public struct Alert: Sendable, Equatable, Codable {
    /// What happened, in a few words.
    public var title: String
    /// More about it.
    public var message: String?
    /// How a person can go on.
    public var actions: [Action]

    /// An alert.
    public init(title: String, message: String?, actions: [Action]) {
        (self.title, self.message, self.actions) = (title, message, actions)
    }
}
