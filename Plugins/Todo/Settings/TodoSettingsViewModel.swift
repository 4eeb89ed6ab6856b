import ViperKit

/// The form's input and validation errors.
struct TodoSettingsViewModel: Sendable {
    var baseURL = ValidatedField<String>(TodoSettingsField.baseURL, text: "") { text in
        do throws(ViperError) {
            let url = try BaseURL(text)
            // The form shows the URL, and the state folder keeps it.
            if url.description != url.text {
                return .invalid("must not contain a user name or a password; configure such a URL instead")
            }
            return .valid(url.text)
        } catch {
            return .invalid(error.cause)
        }
    }
    var pageSize = ValidatedField.integer(TodoSettingsField.pageSize, in: TodoSettings.pageSizes)

    /// Fills the form with settings.
    mutating func show(_ settings: TodoSettings) {
        (baseURL.text, pageSize.text) = (settings.baseURL, "\(settings.pageSize)")
    }

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The settings, or nil if a field is invalid.
    mutating func validate() -> TodoSettings? {
        let input = (baseURL: baseURL.validate(), pageSize: pageSize.validate())
        guard let url = input.baseURL, let size = input.pageSize else { return nil }
        return TodoSettings(baseURL: url, pageSize: size)
    }

    /// The form with the current input and errors.
    var form: Form { Form(fields: [baseURL.field, pageSize.field]) }
}
