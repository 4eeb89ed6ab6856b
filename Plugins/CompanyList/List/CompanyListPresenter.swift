import ViperKit

final class CompanyListPresenter: CompanyListPresenting {
    weak var view: (any CompanyListViewing)?
    private var ids: Set<String> = []
    private let interactor: any CompanyListInteracting
    private let wireframe: any CompanyListNavigating

    init(interactor: any CompanyListInteracting, wireframe: any CompanyListNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            let people = try await interactor.people()
            let sections = await Self.sections(of: people)
            ids = Set(people.map(\.id))
            sections.isEmpty ? showNoContent() : view?.show(sections)
        } catch let error where error.code == .fileMissing || error.code == .fileEmpty {
            showNoContent()
        } catch {
            view?.show(
                Alert(
                    title: "Cannot read the list", message: error.description,
                    actions: [CompanyListAction.retry, .close]))
        }
    }

    func press(_ action: CompanyListAction) async {
        switch action {
        case .retry: await load()
        case .close: await wireframe.close()
        case .dismiss: view?.show(nil)
        }
    }

    func select(_ id: String) async {
        guard ids.contains(id) else { return }
        do {
            try await wireframe.openPerson(id)
        } catch {
            view?.show(
                Alert(
                    title: "Cannot show this person", message: error.description, actions: [CompanyListAction.dismiss]))
        }
    }

    private func showNoContent() {
        view?.show(Alert(title: "No content to show", message: nil, actions: [CompanyListAction.close]))
    }

    /// Returns the people grouped by company. Companies are sorted alphabetically, ignoring case. The people in each
    /// company keep their order.
    ///
    /// The function runs off the main actor, because sorting a long list on the main actor would block all scenes.
    @concurrent
    nonisolated static func sections(of people: [Person]) async -> [Section] {
        let companies = Dictionary(grouping: people, by: \.company)
        let names = companies.keys.map { (sorting: $0.lowercased(), name: $0) }.sorted { $0 < $1 }.map(\.name)
        return names.map { name in
            let rows = companies[name, default: []].map { person in
                Row(id: person.id, title: "\(person.first) \(person.last)", detail: person.balance)
            }
            return Section(title: name, rows: rows)
        }
    }
}
