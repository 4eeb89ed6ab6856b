import ViperKit

final class MenuPresenter: MenuPresenting {
    weak var view: (any MenuViewing)?
    private let interactor: any MenuInteracting
    private let wireframe: any MenuNavigating
    /// The entries on the screen, keyed by the IDs of their rows.
    private var entries: [String: MenuEntry] = [:]
    private let reads = LatestReads()

    init(interactor: any MenuInteracting, wireframe: any MenuNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        await read()
        reads.follow(interactor.changes()) { [weak self] in await self?.read() }
    }

    func press(_ action: MenuAction) async {
        view?.show(nil)
        if action == .retry { await read() }
    }

    func select(_ id: String) async {
        guard let entry = entries[id] else { return }
        do throws(ViperError) {
            try await wireframe.open(try entry.item.get().route)
        } catch {
            view?.show(
                Alert(
                    title: "Cannot open \((try? entry.item.get().title) ?? entry.module)", message: error.description,
                    actions: [MenuAction.dismiss]))
        }
    }

    private func read() async {
        do throws(ViperError) {
            guard let all = try await reads.latest(interactor.entries) else { return }
            entries = [:]
            var (usable, others) = ([Row](), [Row]())
            for entry in all {
                switch entry.item {
                case .success(let item):
                    let id = "\(entry.module) \(item.route)"
                    // A module may repeat an entry.
                    if entries.updateValue(entry, forKey: id) == nil { usable.append(Row(id: id, title: item.title)) }
                case .failure(let error):
                    let id = "\(entry.module) \(others.count)"
                    entries[id] = entry
                    others.append(Row(id: id, title: entry.module, detail: error.cause))
                }
            }
            let sections = [Section(rows: usable), Section(title: "Not usable", rows: others)]
            view?.show(sections.filter { !$0.rows.isEmpty })
        } catch {
            view?.show(
                Alert(title: "Cannot read the menu", message: error.description, actions: [MenuAction.retry]))
        }
    }
}
