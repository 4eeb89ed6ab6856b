import ViperKit

// The interfaces between the roles of the settings. The presenter uses `TodoSettingsViewing`, `TodoSettingsInteracting`
// and `TodoSettingsNavigating`. The view uses `TodoSettingsPresenting`.

@MainActor
protocol TodoSettingsViewing: AnyObject {
    func show(_ form: Form)
    /// Shows an alert above the form. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

protocol TodoSettingsPresenting: Presenter where SceneAction == TodoSettingsAction, SceneField == TodoSettingsField {}

protocol TodoSettingsInteracting: Sendable {
    /// Returns the settings without the user name and password in the server's URL.
    func settings() async throws(ViperError) -> TodoSettings

    /// Stores settings, and changes all open scenes.
    ///
    /// - Parameter shown: The settings that the user has changed. Nil if they could not be read.
    func save(_ settings: TodoSettings, insteadOf shown: TodoSettings?) async throws(ViperError)
}

@MainActor
protocol TodoSettingsNavigating: AnyObject {
    /// Closes the form.
    ///
    /// - Parameter isSaved: True if the settings were saved. The scene below receives it.
    func close(isSaved: Bool) async throws(ViperError)
}

enum TodoSettingsAction: String, ActionID {
    case save, cancel, dismiss

    var title: String {
        switch self {
        case .save: "Save"
        case .cancel: "Cancel"
        case .dismiss: "Back to the form"
        }
    }

    var role: Action.Role? { self == .save ? .default : .cancel }
}

enum TodoSettingsField: String, FieldID {
    case baseURL, pageSize

    var label: String {
        switch self {
        case .baseURL: "Server"
        case .pageSize: "Todos on a page"
        }
    }

    var kind: Field.Kind {
        switch self {
        case .baseURL: .text
        case .pageSize: .number
        }
    }

    var help: String? { self == .baseURL ? "The address without /todos" : nil }
    var isRequired: Bool { true }
}
