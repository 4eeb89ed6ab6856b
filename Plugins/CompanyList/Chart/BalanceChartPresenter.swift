import ViperKit

final class BalanceChartPresenter: BalanceChartPresenting {
    /// The number of bars that each page adds.
    static let pageSize = 20

    weak var view: (any BalanceChartViewing)?
    private var balances = Balances(companies: [], leftOut: 0)
    private var shown = pageSize
    private let interactor: any BalanceChartInteracting
    private let wireframe: any BalanceChartNavigating
    private let reads = LatestReads()

    init(interactor: any BalanceChartInteracting, wireframe: any BalanceChartNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            guard let balances = try await reads.latest(interactor.balances) else { return }
            self.balances = balances
            view?.show(section)
        } catch let error where error.code == .fileMissing || error.code == .fileEmpty {
            view?.show(section)
        } catch {
            show(error, as: "Cannot read the balances")
        }
    }

    func press(_ action: BalanceChartAction) async {
        switch action {
        case .more:
            shown += Self.pageSize
            view?.show(section)
        case .refresh: await load()
        case .close: await wireframe.close()
        case .dismiss: view?.show(nil)
        }
    }

    func select(_ company: String) async {
        do { try await wireframe.openCompany(company) } catch { show(error, as: "Cannot show the company") }
    }

    private func show(_ error: ViperError, as title: String) {
        view?.show(Alert(title: title, message: error.description, actions: [BalanceChartAction.dismiss]))
    }

    private var section: Section {
        var section = Section(
            rows: balances.companies.prefix(shown).map { company in
                var row = Row(id: company.name, title: company.name, detail: company.amount.text)
                row.numbers = [Double(company.amount.cents) / 100]
                row.tone = company.amount.cents < 0 ? .danger : nil
                return row
            })
        section.kind = .barChart
        section.columns = [.init("Company"), .init("Balance", alignment: .trailing)]
        section.more = Section.More(Action(BalanceChartAction.more), shown: shown, of: balances.companies.count)
        let notes = [balances.total.map { "Together \($0.text)" }, leftOut].compactMap { $0 }
        section.footer = notes.isEmpty ? nil : notes.joined(separator: "\n")
        return section
    }

    private var leftOut: String? {
        switch balances.leftOut {
        case 0: nil
        case 1: "Without 1 person, whose balance cannot be added"
        default: "Without \(balances.leftOut) people, whose balances cannot be added"
        }
    }
}
