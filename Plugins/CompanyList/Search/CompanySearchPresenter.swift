import ViperKit

final class CompanySearchPresenter: CompanySearchPresenting {
    weak var view: (any CompanySearchViewing)?
    /// All companies, so that a search does not read the file again.
    private var companies: [Company] = []
    private var found: FoundPeople
    private let interactor: any CompanyListInteracting
    private let wireframe: any CompanySearchNavigating
    private let (reads, searches) = (LatestReads(), LatestReads())

    init(text: String, interactor: any CompanyListInteracting, wireframe: any CompanySearchNavigating) {
        (found, self.interactor, self.wireframe) = (FoundPeople(text: text), interactor, wireframe)
    }

    func load() async {
        view?.show(search: found.text)
        view?.showLoading()
        do {
            guard let people = try await reads.latest(interactor.people) else { return }
            companies = await Company.companies(of: people)
            await search()
        } catch let error where error.code == .fileMissing || error.code == .fileEmpty {
            companies = []
            await search()
        } catch {
            show(error, as: "Cannot read the people")
        }
    }

    func fill(_ field: CompanySearchField, with text: String) async {
        found.text = text
        view?.show(search: text)
        await search()
    }

    private func search() async {
        let (companies, text) = (companies, found.text)
        let result = try? await searches.latest { await Company.companies(companies, containing: text) }
        guard let result else { return }
        found.companies = result
        view?.show(found.sections, emptyText: emptyText)
    }

    private var emptyText: String { companies.isEmpty ? "No content to show" : "No name contains \(found.text)" }

    func press(_ action: CompanySearchAction) async {
        switch action {
        case .chart:
            await attempt("Cannot show the balances") { () async throws(ViperError) in try await wireframe.openChart() }
        case .more:
            found.showMore()
            view?.show(found.sections, emptyText: emptyText)
        case .refresh: await load()
        case .dismiss: view?.show(nil)
        }
    }

    func select(_ id: String) async {
        await attempt("Cannot show this person") { () async throws(ViperError) in try await wireframe.openPerson(id) }
    }

    /// Runs an attempt. If it fails, shows an alert with the title.
    private func attempt(_ title: String, _ body: () async throws(ViperError) -> Void) async {
        do { try await body() } catch { show(error, as: title) }
    }

    private func show(_ error: ViperError, as title: String) {
        view?.show(Alert(title: title, message: error.description, actions: [CompanySearchAction.dismiss]))
    }
}
