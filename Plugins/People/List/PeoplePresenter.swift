import ViperKit

final class PeoplePresenter: Presenter, PeoplePresenting {
    weak var view: (any PeopleViewing)?
    private let age: Int?
    private let interactor: any PeopleInteracting
    private let wireframe: any PeopleNavigating

    init(olderThan age: Int?, interactor: any PeopleInteracting, wireframe: any PeopleNavigating) {
        (self.age, self.interactor, self.wireframe) = (age, interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            let people = try await interactor.people(olderThan: age)
            view?.show(people.map { Row(id: $0.id, title: $0.line) })
        } catch {
            view?.show(
                Alert(
                    title: "Cannot read the people", message: error.description,
                    actions: [PeopleAction.retry, PeopleAction.dismiss]))
        }
    }

    func press(_ action: String) async {
        switch action {
        case PeopleAction.add.id: await addPerson()
        case PeopleAction.retry.id: await load()
        case PeopleAction.dismiss.id: view?.show(nil)
        default: break
        }
    }

    func returned(from route: String) async {
        if route == PeopleRoute.add { await load() }
    }

    private func addPerson() async {
        do {
            try await wireframe.addPerson()
        } catch {
            view?.show(Alert(title: "Cannot add anybody", message: error.description, actions: [PeopleAction.dismiss]))
        }
    }
}
