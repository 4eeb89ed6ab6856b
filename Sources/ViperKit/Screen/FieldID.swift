/// The name of a form's field, usually a case of an enumeration, which also has the field's label and kind.
///
/// ```swift
/// enum AddPersonField: String, FieldID {
///     case name, age
///
///     var kind: Field.Kind { self == .age ? .number : .text }
/// }
/// ```
///
/// An enumeration with a raw type of `String` needs nothing else. Its raw values are the names in the form.
public protocol FieldID: Hashable, Sendable {
    /// Creates the ID from the name in the form, or returns nil if no field has it.
    init?(rawValue: String)
    /// The name that ``Event/fill(field:text:)`` refers to. Unique in the form.
    var rawValue: String { get }
    /// The label beside the field. The default implementation returns the words of the name: `User name` for
    /// `userName`.
    var label: String { get }
    /// The kind of input. The default implementation returns ``Field/Kind/text``.
    var kind: Field.Kind { get }
}

extension FieldID {
    public var label: String { rawValue.identifierTitle }
    public var kind: Field.Kind { .text }
}

extension Field {
    /// Creates the field with this ID, its label and its kind, without an error.
    public init(id: some FieldID, value: String) { self.init(id: id, value: value, error: nil) }

    /// Creates the field with this ID, its label and its kind, and with an error message for the value, or nil.
    public init(id: some FieldID, value: String, error: String?) {
        self.init(name: id.rawValue, label: id.label, value: value, kind: id.kind)
        self.error = error
    }
}

extension Never: FieldID {
    public var label: String { switch self {} }
}
