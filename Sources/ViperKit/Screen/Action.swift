/// An action that the user can choose.
public struct Action: Sendable, Equatable, Codable {
    /// The ID that ``Event/press(action:)`` refers to. It must be unique on the screen.
    public var id: String
    /// The display text.
    public var title: String
    /// The meaning of the action for the user. Nil for an ordinary action.
    public var role: Role?
    /// The reason why the action cannot be used now. Nil if it can be used.
    public var disabledReason: String?
    /// A character that a front end with a keyboard may use for the action, such as `n`.
    public var key: String?

    /// Creates an action that can be used.
    public init(id: String, title: String) { (self.id, self.title) = (id, title) }

    /// The meaning of an action for the user. It only refines the action: a front end may ignore it.
    ///
    /// This type is a struct so that roles can be added.
    public struct Role: RawRepresentable, Hashable, Sendable, Codable {
        /// The role's name in a screen's JSON form.
        public let rawValue: String

        /// Creates a role with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The action that a user most likely wants, such as to save a form. At most one action of a screen has it.
        public static var `default`: Self { Self(rawValue: "default") }
        /// The action that leaves things unchanged.
        public static var cancel: Self { Self(rawValue: "cancel") }
        /// An action that removes something.
        public static var destructive: Self { Self(rawValue: "destructive") }
        /// The action that reads the content again.
        public static var refresh: Self { Self(rawValue: "refresh") }
    }
}
