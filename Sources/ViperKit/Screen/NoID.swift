/// The ID type of a presenter without actions, fields, or selectable rows. It has no values.
public enum NoID: ActionID, FieldID, RowID {
    public init?(rawValue: String) { return nil }
    public var rawValue: String { switch self {} }
    public var title: String { switch self {} }
    public var label: String { switch self {} }
}
