import ViperKit

/// The form's input and validation errors.
struct TodoSettingsViewModel: Sendable {
    var baseURL = ValidatedField(TodoSettingsField.baseURL, text: "") { text in
        do throws(ViperError) { return .valid(try BaseURL(text).text) } catch { return .invalid(error.cause) }
    }
    var pageSize = ValidatedField.integer(TodoSettingsField.pageSize, in: TodoSettings.pageSizes)
    private var shown: TodoSettings?

    /// Fills the form with settings. The form does not show the user name and the password in the server's URL.
    mutating func show(_ settings: TodoSettings) {
        shown = settings
        (baseURL.text, pageSize.text) = (Self.redacted(settings.baseURL), "\(settings.pageSize)")
    }

    private static func redacted(_ url: String) -> String { (try? BaseURL(url).description) ?? url }

    /// Validates all fields and updates their errors.
    ///
    /// - Returns: The settings, or nil if a field is invalid.
    mutating func validate() -> TodoSettings? {
        let input = (baseURL: baseURL.validate(), pageSize: pageSize.validate())
        guard let url = input.baseURL, let size = input.pageSize else { return nil }
        // An unchanged URL keeps what the form does not show.
        let isUnchanged = shown.map { Self.redacted($0.baseURL) == url } ?? false
        return TodoSettings(baseURL: isUnchanged ? shown?.baseURL ?? url : url, pageSize: size)
    }

    /// The form with the current input and errors.
    var form: Form { Form(fields: [baseURL.field, pageSize.field]) }
}
