/// The ID of a form field, which also provides the field's label and kind. It is usually a case of an enumeration.
///
/// ```swift
/// enum AddPersonField: String, FieldID {
///     case name, age
///
///     var kind: Field.Kind { self == .age ? .number : .text }
/// }
/// ```
///
/// An enumeration with `String` raw values only needs to declare the conformance. Its raw values are the IDs of the
/// fields in the form, which ``Event/fill(field:text:)`` refers to. They must be unique in the form.
public protocol FieldID: RawRepresentable<String>, Hashable, Sendable {
    /// The label beside the field. The default implementation derives the label from the words of the ID, such as
    /// `User name` from `userName`.
    var label: String { get }
    /// The kind of input. The default implementation returns ``Field/Kind/text``.
    var kind: Field.Kind { get }
    /// A sentence that explains the field. The default implementation returns nil.
    var help: String? { get }
    /// The text to show while the field is empty. The default implementation returns nil.
    var placeholder: String? { get }
    /// A Boolean value that indicates whether the form needs a value. The default implementation returns false.
    var isRequired: Bool { get }
    /// The options of a choice. The default implementation returns none.
    var options: [Field.Option] { get }
}

extension FieldID {
    public var label: String { rawValue.identifierTitle }
    public var kind: Field.Kind { .text }
    public var help: String? { nil }
    public var placeholder: String? { nil }
    public var isRequired: Bool { false }
    public var options: [Field.Option] { [] }
}

extension Field {
    /// Creates a field with the given ID, value, and optional error message. The ID provides everything else.
    public init(id: some FieldID, value: String, error: String? = nil) {
        self.init(id: id.rawValue, label: id.label, value: value, kind: id.kind)
        self.error = error
        (help, placeholder, isRequired, options) = (id.help, id.placeholder, id.isRequired, id.options)
    }
}
