import ViperKit

final class PeoplePresenter: PeoplePresenting {
    weak var view: (any PeopleViewing)?
    private let age: Int?
    private let interactor: any PeopleInteracting
    private let wireframe: any PeopleNavigating
    /// The task that reads the list again whenever the stored people change, including changes made in other windows.
    /// It is cancelled when the presenter is deinitialized.
    private var observation: Task<Void, Never>?
    private var reads = (begun: 0, shown: 0)

    init(olderThan age: Int?, interactor: any PeopleInteracting, wireframe: any PeopleNavigating) {
        (self.age, self.interactor, self.wireframe) = (age, interactor, wireframe)
    }

    deinit { observation?.cancel() }

    func load() async {
        observe()
        view?.showLoading()
        await read()
    }

    private func observe() {
        if observation != nil { return }
        let changes = interactor.changes()
        observation = Task { [weak self] in
            for await _ in changes { await self?.read() }
        }
    }

    private func read() async {
        reads.begun += 1
        let number = reads.begun
        do {
            let people = try await interactor.people(olderThan: age)
            // Reads can finish out of order. Ignore this result if a newer one is already shown.
            if number < reads.shown { return }
            reads.shown = number
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
        if route == AddPersonRoute.route { await load() }
    }

    private func addPerson() async {
        do {
            try await wireframe.addPerson()
        } catch {
            view?.show(Alert(title: "Cannot add anybody", message: error.description, actions: [PeopleAction.dismiss]))
        }
    }
}
