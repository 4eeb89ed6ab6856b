/// The ID of an action, usually a case of an enumeration, which also has the action's title.
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
/// An enumeration with a raw type of `String` needs nothing else. Its raw values are the IDs on the screen.
public protocol ActionID: Hashable, Sendable {
    /// Creates the ID from the text on the screen, or returns nil if no action has it.
    init?(rawValue: String)
    /// The text that ``Event/press(action:)`` refers to. Unique on the screen.
    var rawValue: String { get }
    /// The display text of the action. The default implementation returns the words of the ID: `Add person` for
    /// `addPerson`.
    var title: String { get }
}

extension ActionID {
    public var title: String { rawValue.identifierTitle }
}

extension Action {
    /// Creates the action with this ID and its title.
    public init(_ id: some ActionID) { self.init(id: id, title: id.title) }

    /// Creates the action with this ID and another title, such as one that depends on the state.
    public init(id: some ActionID, title: String) { self.init(id: id.rawValue, title: title) }
}

extension Alert {
    /// Creates an alert with the actions that have these IDs, in display order.
    public init(title: String, message: String?, actions: [some ActionID]) {
        self.init(title: title, message: message, actions: actions.map { Action($0) })
    }
}

extension Never: ActionID {
    public init?(rawValue: String) { return nil }
    public var rawValue: String { switch self {} }
    public var title: String { switch self {} }
}
