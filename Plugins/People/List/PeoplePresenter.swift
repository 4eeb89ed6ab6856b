import ViperKit

final class PeoplePresenter: PeoplePresenting {
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
                    actions: [PeopleAction.retry, .dismiss]))
        }
    }

    func press(_ action: PeopleAction) async {
        switch action {
        case .add: await addPerson()
        case .retry: await load()
        case .dismiss: view?.show(nil)
        }
    }

    func returned(from route: String, result: SceneResult) async {
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
