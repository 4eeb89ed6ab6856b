import ViperKit

final class TodoSettingsWireframe: Wireframe, TodoSettingsNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(environment: TodoEnvironment, navigator: any Navigator) -> any View {
        let presenter = TodoSettingsPresenter(
            interactor: TodoSettingsInteractor(environment: environment),
            wireframe: TodoSettingsWireframe(navigator: navigator))
        let view = TodoSettingsView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close(isSaved: Bool) async throws(ViperError) { try await navigator.close(returning: isSaved) }
}
