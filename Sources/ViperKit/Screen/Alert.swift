/// A message that is shown above the screen's content.
public struct Alert: Sendable, Equatable, Codable {
    /// A short summary of what happened.
    public var title: String
    /// Details about what happened, or nil if there are none.
    public var message: String?
    /// The actions that the user can choose.
    public var actions: [Action]

    /// Creates an alert.
    public init(title: String, message: String? = nil, actions: [Action]) {
        (self.title, self.message, self.actions) = (title, message, actions)
    }
}
