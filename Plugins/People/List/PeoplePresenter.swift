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
    /// The people on the screen.
    private var people: [Person] = []
    /// The person that was selected last.
    private var selected: Person?

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
            self.people = people
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

    func select(_ id: String) async {
        guard let person = people.first(where: { $0.id == id }) else { return }
        selected = person
        await attempt("Cannot show \(person.name)") { () async throws(ViperError) in try await wireframe.show(person) }
    }

    func returned(from route: String, result: SceneResult) async {
        switch route {
        case AddPersonRoute.route: await load()
        case OtherRoute.details:
            guard let selected, (try? result.decode(String.self)) == OtherRoute.removal else { return }
            await attempt("Cannot ask whether to remove \(selected.name)") { () async throws(ViperError) in
                try await wireframe.confirmRemoval(of: selected)
            }
        case OtherRoute.alert:
            guard let selected, (try? result.decode(Bool.self)) == true else { return }
            await attempt("Cannot remove \(selected.name)") { () async throws(ViperError) in
                try await interactor.remove(selected)
            }
            await read()
        default: break
        }
    }

    private func addPerson() async {
        await attempt("Cannot add anybody") { () async throws(ViperError) in try await wireframe.addPerson() }
    }

    /// Runs an attempt. If it fails, shows an alert with the title.
    private func attempt(_ title: String, _ body: () async throws(ViperError) -> Void) async {
        do { try await body() } catch {
            view?.show(Alert(title: title, message: error.description, actions: [PeopleAction.dismiss]))
        }
    }
}
