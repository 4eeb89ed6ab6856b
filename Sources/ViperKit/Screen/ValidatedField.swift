/// A field of a form together with its validation: the text that the user has entered, and the error message until the
/// text changes.
///
/// ```swift
/// struct AddPersonForm {
///     var name = ValidatedField.nonEmpty(AddPersonField.name)
///     var age = ValidatedField.integer(AddPersonField.age, in: 0...130)
///
///     var form: Form { Form(fields: [name.field, age.field]) }
/// }
/// ```
public struct ValidatedField<Value: Sendable>: Sendable {
    /// The result of a validation.
    @frozen
    public enum Validation: Sendable {
        /// The text stands for this value.
        case valid(Value)
        /// The text stands for no value. The message tells the user what is expected, such as `must not be empty`.
        case invalid(String)
    }

    /// The text that the user has entered. A change clears the error message.
    public var text: String { didSet { error = nil } }
    /// The error message of the last validation. Nil if the text is valid, or has changed since.
    public private(set) var error: String?
    private let untouched: Field
    private let rule: @Sendable (String) -> Validation

    /// Creates a field with a rule.
    ///
    /// - Parameters:
    ///   - id: The field's ID, which provides the label and the kind.
    ///   - text: The initial text.
    ///   - rule: A closure that returns the value of a text, or a message.
    public init(_ id: some FieldID, text: String, rule: @escaping @Sendable (String) -> Validation) {
        (self.text, self.rule, untouched) = (text, rule, Field(id: id, value: text))
    }

    /// The field for the form, with the current text and error message.
    public var field: Field {
        var field = untouched
        (field.value, field.error) = (text, error)
        return field
    }

    /// Validates the text and updates the error message.
    ///
    /// - Returns: The value, or nil if the text is invalid.
    public mutating func validate() -> Value? {
        switch rule(text) {
        case .valid(let value):
            error = nil
            return value
        case .invalid(let message):
            error = message
            return nil
        }
    }
}

extension ValidatedField where Value == String {
    /// Creates a field for a text that must not be empty, such as a name. The value has no surrounding white space.
    public static func nonEmpty(_ id: some FieldID) -> ValidatedField {
        ValidatedField(id, text: "") { text in
            let trimmed = text.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
            return trimmed.isEmpty ? .invalid("must not be empty") : .valid(String(trimmed))
        }
    }
}

extension ValidatedField where Value == Int {
    /// Creates a field for a whole number in a range.
    public static func integer(_ id: some FieldID, in range: ClosedRange<Int>) -> ValidatedField {
        ValidatedField(id, text: "") { text in
            guard let number = Int(text) else {
                return .invalid(text.isEmpty ? "must not be empty" : "must be a whole number")
            }
            guard range.contains(number) else {
                return .invalid("must be between \(range.lowerBound) and \(range.upperBound)")
            }
            return .valid(number)
        }
    }
}

extension ValidatedField: CustomReflectable {
    /// A mirror of the field, which omits the text if it is a secret.
    public var customMirror: Mirror { Mirror(self, children: ["field": field], displayStyle: .struct) }
}
