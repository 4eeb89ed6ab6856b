import ViperKit

/// What was typed into the form, and what is wrong with it until it is typed anew. What was typed is never lost.
struct AddPersonViewModel: Equatable {
    var name = "" { didSet { nameError = nil } }
    var age = "" { didSet { ageError = nil } }
    private(set) var nameError: String?
    private(set) var ageError: String?

    /// The oldest person on record died at 122 (Jeanne Calment, 1997); nobody older is meant.
    static let ages = 0...130

    /// Checks every field, and says beside each what is wrong.
    ///
    /// - Returns: Name and age, or nil when something is wrong.
    mutating func validate() -> (name: String, age: Int)? {
        let trimmed = String(name.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        nameError = trimmed.isEmpty ? "must not be empty" : nil
        let number = Int(age)
        ageError =
            switch number {
            case nil: age.isEmpty ? "must not be empty" : "must be a whole number"
            case .some(let number) where !Self.ages.contains(number):
                "must be between \(Self.ages.lowerBound) and \(Self.ages.upperBound)"
            default: nil
            }
        guard nameError == nil, ageError == nil, let number else { return nil }
        return (trimmed, number)
    }

    /// The form as it stands.
    var form: Form {
        var nameField = Field(name: "name", label: "Name", value: name, kind: .text)
        nameField.error = nameError
        var ageField = Field(name: "age", label: "Age", value: age, kind: .number)
        ageField.error = ageError
        return Form(fields: [nameField, ageField])
    }
}
