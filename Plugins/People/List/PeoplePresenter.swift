import ViperKit

final class PeoplePresenter: PeoplePresenting {
    weak var view: (any PeopleViewing)?
    private let age: Int?
    private let interactor: any PeopleInteracting
    private let wireframe: any PeopleNavigating
    private let (reads, searches) = (LatestReads(), LatestReads())
    private var list = PeopleList()
    /// The person that was selected last.
    private var selected: Person?

    init(olderThan age: Int?, interactor: any PeopleInteracting, wireframe: any PeopleNavigating) {
        (self.age, self.interactor, self.wireframe) = (age, interactor, wireframe)
    }

    func load() async {
        // The stored people also change in other windows.
        reads.follow(interactor.changes()) { [weak self] in await self?.read() }
        view?.showLoading()
        await read()
    }

    private func read() async {
        do {
            let people = try await reads.latest { () async throws(ViperError) in
                try await interactor.people(olderThan: age)
            }
            // A newer read that has overtaken this one may not have shown its people yet.
            if let people { list.all = people }
            await search()
        } catch {
            view?.show(
                Alert(
                    title: "Cannot read the people", message: error.description,
                    actions: [PeopleAction.retry, .dismiss]))
        }
    }

    private func search() async {
        let (people, text) = (list.all, list.search)
        let found = try? await searches.latest { await PeopleList.people(people, named: text) }
        guard let found else { return }
        list.found = found
        showList()
    }

    private func showList() { view?.show(list.section, search: list.offeredSearch, emptyText: list.emptyText) }

    func fill(_ field: PeopleField, with text: String) async {
        list.search = text
        view?.show(message: nil)
        await search()
    }

    func press(_ action: PeopleAction) async {
        view?.show(message: nil)
        switch action {
        case .add: await addPerson()
        case .more:
            list.showMore()
            showList()
        case .retry: await load()
        case .dismiss: view?.show(nil)
        }
    }

    func select(_ id: String) async {
        guard let person = list.all.first(where: { $0.id == id }) else { return }
        selected = person
        view?.show(message: nil)
        await attempt("Cannot show \(person.name)") { () async throws(ViperError) in try await wireframe.show(person) }
    }

    func returned(from route: String, result: SceneResult) async {
        switch route {
        case AddPersonRoute.route:
            await load()
            if let person = try? result.decode(Person.self) { view?.show(message: "Added \(person.line)") }
        case OtherRoute.details:
            guard let selected, (try? result.decode(String.self)) == OtherRoute.removal else { return }
            await attempt("Cannot ask whether to remove \(selected.name)") { () async throws(ViperError) in
                try await wireframe.confirmRemoval(of: selected)
            }
        case OtherRoute.alert:
            guard let selected, (try? result.decode(Bool.self)) == true else { return }
            await attempt("Cannot remove \(selected.name)") { () async throws(ViperError) in
                try await interactor.remove(selected)
                view?.show(message: "Removed \(selected.name)")
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
