import ViperKit

/// The form's input and validation errors.
struct AddPersonViewModel: Sendable {
    var name = ValidatedField.nonEmpty(AddPersonField.name)
    // The oldest person on record died at the age of 122 (Jeanne Calment, 1997).
    var age = ValidatedField.integer(AddPersonField.age, in: 0...130)

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The age, and the name without surrounding white space. Nil if a field is invalid.
    mutating func validate() -> (name: String, age: Int)? {
        let input = (name: name.validate(), age: age.validate())
        guard let name = input.name, let age = input.age else { return nil }
        return (name, age)
    }

    /// The form with the current input and errors.
    var form: Form { Form(fields: [name.field, age.field]) }
}
