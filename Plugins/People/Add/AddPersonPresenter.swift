import ViperKit

final class AddPersonPresenter: AddPersonPresenting {
    weak var view: (any AddPersonViewing)?
    private var model = AddPersonViewModel()
    private let interactor: any AddPersonInteracting
    private let wireframe: any AddPersonNavigating

    init(interactor: any AddPersonInteracting, wireframe: any AddPersonNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() { view?.show(model.form) }

    func fill(_ field: AddPersonField, with text: String) {
        switch field {
        case .name: model.name.text = text
        case .age: model.age.text = text
        }
        view?.show(model.form)
    }

    func press(_ action: AddPersonAction) async {
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
        let person: Person
        do { person = try await interactor.add(name: input.name, age: input.age) } catch {
            show("Cannot add the person", error)
            return
        }
        view?.showAdded("Added \(person.line)")
        do { try await wireframe.close(returning: person) } catch { show("Cannot close the form", error) }
    }

    private func show(_ title: String, _ error: ViperError) {
        view?.show(Alert(title: title, message: error.description, actions: [AddPersonAction.dismiss]))
    }
}
