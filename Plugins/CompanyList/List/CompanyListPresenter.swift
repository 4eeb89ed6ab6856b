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
        view?.showLoading("Reading the people")
        do {
            let people = try await interactor.people()
            view?.showLoading("Sorting the people")
            let sections = await Self.sections(of: Company.companies(of: people))
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

    /// Returns a section for each company. Runs off the main actor, because the list may be long.
    @concurrent
    private nonisolated static func sections(of companies: [Company]) async -> [Section] {
        companies.map { Section(title: $0.name, rows: $0.people.map(\.row)) }
    }
}
