import ViperKit

/// The form's input and validation errors. The model never holds the password. It records only whether the password
/// field is filled in.
struct LoginViewModel: Sendable {
    var userName = ValidatedField.nonEmpty(LoginField.userName)
    var hasPassword = false { didSet { passwordError = nil } }
    private(set) var passwordError: String?

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The user name without surrounding white space, or nil if a field is invalid.
    mutating func validate() -> String? {
        passwordError = hasPassword ? nil : "must not be empty"
        let name = userName.validate()
        return hasPassword ? name : nil
    }

    /// The form with the current input and errors. A placeholder represents the password, which is never shown.
    var form: Form {
        Form(fields: [
            userName.field,
            Field(id: LoginField.password, value: hasPassword ? "•" : "", error: passwordError),
        ])
    }
}
