import Testing
import ViperKit

private enum Input: String, FieldID {
    case fullName, size
    var kind: Field.Kind { self == .size ? .number : .text }
}

struct ValidatedFieldTests {
    @Test("A text is trimmed, and an empty one is invalid", arguments: [(" Ada \n", "Ada"), ("", nil), (" \t", nil)])
    func text(entered: String, value: String?) {
        var name = ValidatedField.nonEmpty(Input.fullName)
        name.text = entered
        let validated = name.validate()
        #expect(validated == value)
        let error = value == nil ? "must not be empty" : nil
        #expect(name.field == Field(id: Input.fullName, value: entered, error: error))
    }

    @Test(
        "A number has to be whole and in the range",
        arguments: [
            ("1", nil), ("10", nil), ("", "must not be empty"), ("1.5", "must be a whole number"),
            ("99999999999999999999", "must be a whole number"), ("0", "must be between 1 and 10"),
            ("11", "must be between 1 and 10"),
        ] as [(String, String?)])
    func number(entered: String, error: String?) {
        var size = ValidatedField.integer(Input.size, in: 1...10)
        size.text = entered
        let validated = size.validate()
        #expect(validated == (error == nil ? Int(entered) : nil))
        #expect(size.error == error)
    }

    @Test("The error message of a rule stays until the text changes, or is valid")
    func error() {
        var size = ValidatedField(Input.size, text: "M") { text in
            ["S", "M"].contains(text) ? .valid(text) : .invalid("must be S or M")
        }
        #expect(size.field == Field(id: Input.size, value: "M"))
        size.text = "XL"
        #expect(size.error == nil)
        var other = size
        let validated = size.validate()
        #expect(validated == nil && size.field.error == "must be S or M")
        size.text = "S"
        #expect(size.field.error == nil)
        other.text = "S"
        let valid = other.validate()
        #expect(valid == "S" && other.error == nil)
    }
}
