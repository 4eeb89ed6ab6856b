import ViperKit

/// The form's input and validation errors. Invalid input is kept so that the user can correct it.
struct FormViewModel: Equatable {
    var name = ""
    var amount = ""
    private(set) var nameError: String?
    private(set) var amountError: String?

    static let amounts = 1...100

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The name and the amount, or nil if a field is invalid.
    mutating func validate() -> (name: String, amount: Int)? {
        let number = Int(amount).flatMap { Self.amounts.contains($0) ? $0 : nil }
        nameError = name.allSatisfy(\.isWhitespace) ? "must not be empty" : nil
        let (least, most) = (Self.amounts.lowerBound, Self.amounts.upperBound)
        amountError = number == nil ? "must be a whole number from \(least) to \(most)" : nil
        guard nameError == nil, let number else { return nil }
        return (name, number)
    }

    /// The form with the current input and errors.
    var form: Form {
        Form(fields: [
            Field(id: FormField.name, value: name, error: nameError),
            Field(id: FormField.amount, value: amount, error: amountError),
        ])
    }
}
