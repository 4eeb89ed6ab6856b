/// The ID of an action, which also provides the action's title. It is usually a case of an enumeration.
///
/// ```swift
/// enum PeopleAction: String, ActionID {
///     case add, retry
///
///     var title: String {
///         switch self {
///         case .add: "Add a person"
///         case .retry: "Read again"
///         }
///     }
/// }
/// ```
///
/// An enumeration with `String` raw values only needs to declare the conformance. Its raw values are the IDs on the
/// screen, which ``Event/press(action:)`` refers to. They must be unique on the screen.
public protocol ActionID: RawRepresentable<String>, Hashable, Sendable {
    /// The display text of the action. The default implementation derives the title from the words of the ID, such as
    /// `Add person` from `addPerson`.
    var title: String { get }
    /// The meaning of the action for the user. The default implementation returns nil, for an ordinary action.
    var role: Action.Role? { get }
    /// A character that a front end with a keyboard may use for the action. The default implementation returns nil.
    var key: String? { get }
}

extension ActionID {
    public var title: String { rawValue.identifierTitle }
    public var role: Action.Role? { nil }
    public var key: String? { nil }
}

extension Action {
    /// Creates an action with the given ID. The ID provides the title, the role and the key.
    public init(_ id: some ActionID) {
        self.init(id: id.rawValue, title: id.title)
        (role, key) = (id.role, id.key)
    }
}

extension Alert {
    /// Creates an alert with an action for each ID, in display order.
    public init(title: String, message: String? = nil, actions: [some ActionID]) {
        self.init(title: title, message: message, actions: actions.map { Action($0) })
    }
}
