import ViperKit

/// What was typed into the form, and what is wrong with it. What was typed is never lost.
struct FormViewModel: Equatable {
    var name = ""
    var amount = ""
    private(set) var nameError: String?
    private(set) var amountError: String?

    static let amounts = 1...100

    /// Checks every field, and says beside each what is wrong.
    ///
    /// - Returns: Name and amount, or nil when something is wrong.
    mutating func validate() -> (name: String, amount: Int)? {
        let number = Int(amount).flatMap { Self.amounts.contains($0) ? $0 : nil }
        nameError = name.allSatisfy(\.isWhitespace) ? "must not be empty" : nil
        let (least, most) = (Self.amounts.lowerBound, Self.amounts.upperBound)
        amountError = number == nil ? "must be a whole number from \(least) to \(most)" : nil
        guard nameError == nil, let number else { return nil }
        return (name, number)
    }

    /// The form as it stands.
    var form: Form {
        var nameField = Field(name: "name", label: "Name", value: name, kind: .text)
        nameField.error = nameError
        var amountField = Field(name: "amount", label: "Amount", value: amount, kind: .number)
        amountField.error = amountError
        return Form(fields: [nameField, amountField])
    }
}
