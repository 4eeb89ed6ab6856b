import ViperKit

struct TodoSettingsInteractor: Interactor, TodoSettingsInteracting {
    let environment: TodoEnvironment

    func settings() async throws(ViperError) -> TodoSettings {
        try await environment.load()
        return await environment.settings
    }

    func save(_ settings: TodoSettings) async throws(ViperError) { try await environment.choose(settings) }
}
