import ViperKit

/// What was typed into the form, and what is wrong with it until it is typed anew. Of the password it knows only whether
/// there is one.
struct LoginViewModel: Equatable {
    var userName = "" { didSet { userNameError = nil } }
    var hasPassword = false { didSet { passwordError = nil } }
    private(set) var userNameError: String?
    private(set) var passwordError: String?

    /// Checks every field, and says beside each what is wrong.
    ///
    /// - Returns: The user name without the space around it, or nil when something is wrong.
    mutating func validate() -> String? {
        let trimmed = String(userName.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        userNameError = trimmed.isEmpty ? "must not be empty" : nil
        passwordError = hasPassword ? nil : "must not be empty"
        return userNameError == nil && passwordError == nil ? trimmed : nil
    }

    /// The form as it stands. That there is a value is all that a password's field shows, so any will do.
    var form: Form {
        var userNameField = Field(name: "userName", label: "User name", value: userName, kind: .text)
        userNameField.error = userNameError
        var passwordField = Field(name: "password", label: "Password", value: hasPassword ? "•" : "", kind: .password)
        passwordField.error = passwordError
        return Form(fields: [userNameField, passwordField])
    }
}
