import ViperKit

/// The form's input and validation errors. The model never holds the password. It records only whether the password
/// field is filled in.
struct LoginViewModel: Equatable {
    var userName = "" { didSet { userNameError = nil } }
    var hasPassword = false { didSet { passwordError = nil } }
    private(set) var userNameError: String?
    private(set) var passwordError: String?

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The user name without surrounding white space, or nil if a field is invalid.
    mutating func validate() -> String? {
        let trimmed = String(userName.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        userNameError = trimmed.isEmpty ? "must not be empty" : nil
        passwordError = hasPassword ? nil : "must not be empty"
        return userNameError == nil && passwordError == nil ? trimmed : nil
    }

    /// The form with the current input and errors. A placeholder represents the password, which is never shown.
    var form: Form {
        Form(fields: [
            Field(id: LoginField.userName, value: userName, error: userNameError),
            Field(id: LoginField.password, value: hasPassword ? "•" : "", error: passwordError),
        ])
    }
}
