import ViperKit

/// The form's presenter. It validates the input and adds the entry through the interactor.
final class FormPresenter: FormPresenting {
    weak var view: (any FormViewing)?
    private var model = FormViewModel()
    private let interactor: any FormInteracting
    private let wireframe: any FormNavigating

    init(interactor: any FormInteracting, wireframe: any FormNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() { view?.show(model.form) }

    func fill(_ field: FormField, with text: String) {
        switch field {
        case .name: model.name = text
        case .amount: model.amount = text
        }
        view?.show(model.form)
    }

    func press(_ action: FormAction) async {
        switch action {
        case .add: await add()
        // Closing throws only if the result cannot be encoded, and there is no result here.
        case .cancel: try? await wireframe.close(returning: nil)
        case .dismiss: view?.show(nil)
        }
    }

    private func add() async {
        let input = model.validate()
        view?.show(model.form)
        guard let input else { return }
        let entry: Entry
        do { entry = try await interactor.add(name: input.name, amount: input.amount) } catch {
            show("Cannot add the entry", error)
            return
        }
        view?.showAdded("Added \(entry.amount) × \(entry.name)")
        do { try await wireframe.close(returning: entry) } catch { show("Cannot close the form", error) }
    }

    private func show(_ title: String, _ error: ViperError) {
        view?.show(Alert(title: title, message: error.summary, actions: [FormAction.dismiss]))
    }
}
