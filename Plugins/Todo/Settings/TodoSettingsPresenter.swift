import ViperKit

final class TodoSettingsPresenter: TodoSettingsPresenting {
    weak var view: (any TodoSettingsViewing)?
    private var model = TodoSettingsViewModel()
    /// The settings as the form has shown them first. Nil if they could not be read.
    private var shown: TodoSettings?
    private let interactor: any TodoSettingsInteracting
    private let wireframe: any TodoSettingsNavigating

    init(interactor: any TodoSettingsInteracting, wireframe: any TodoSettingsNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        // Saving replaces unreadable settings.
        do {
            let settings = try await interactor.settings()
            model.show(settings)
            shown = settings
        } catch { show(error, as: "Cannot read the settings") }
        view?.show(model.form)
    }

    func fill(_ field: TodoSettingsField, with text: String) {
        switch field {
        case .baseURL: model.baseURL.text = text
        case .pageSize: model.pageSize.text = text
        }
        view?.show(model.form)
    }

    func press(_ action: TodoSettingsAction) async {
        switch action {
        case .save: await save()
        // Closing throws only if the result cannot be encoded, and a Boolean value can.
        case .cancel: try? await wireframe.close(isSaved: false)
        case .dismiss: view?.show(nil)
        }
    }

    private func save() async {
        let settings = model.validate()
        view?.show(model.form)
        guard let settings else { return }
        do {
            try await interactor.save(settings, insteadOf: shown)
            try await wireframe.close(isSaved: true)
        } catch { show(error, as: "Cannot save the settings") }
    }

    private func show(_ error: ViperError, as title: String) {
        view?.show(Alert(title: title, message: error.description, actions: [TodoSettingsAction.dismiss]))
    }
}
