import ViperKit

/// The form's input and validation errors. Changing a field clears its error.
struct AddPersonViewModel: Equatable {
    var name = "" { didSet { nameError = nil } }
    var age = "" { didSet { ageError = nil } }
    private(set) var nameError: String?
    private(set) var ageError: String?

    /// The valid ages in years. The oldest person on record died at the age of 122 (Jeanne Calment, 1997).
    static let ages = 0...130

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The age, and the name without surrounding white space. Nil if a field is invalid.
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

    /// The form with the current input and errors.
    var form: Form {
        Form(fields: [
            Field(id: AddPersonField.name, value: name, error: nameError),
            Field(id: AddPersonField.age, value: age, error: ageError),
        ])
    }
}
