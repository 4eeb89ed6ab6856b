import ViperKit

struct TodoSettingsInteractor: Interactor, TodoSettingsInteracting {
    let environment: TodoEnvironment

    func settings() async throws(ViperError) -> TodoSettings {
        try await environment.load()
        return try await environment.settings.redacted()
    }

    func save(_ settings: TodoSettings) async throws(ViperError) { try await environment.choose(settings) }
}
