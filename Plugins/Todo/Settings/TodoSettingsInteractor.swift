import ViperKit

struct TodoSettingsInteractor: Interactor, TodoSettingsInteracting {
    let environment: TodoEnvironment

    func settings() async throws(ViperError) -> TodoSettings {
        try await environment.refresh()
        return try await environment.settings.redacted()
    }

    func save(_ settings: TodoSettings, insteadOf shown: TodoSettings?) async throws(ViperError) {
        try await environment.choose(settings, insteadOf: shown)
    }
}
