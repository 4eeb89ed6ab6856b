import ViperKit

/// The list's presenter. It groups the items into sections and formats them.
final class ListPresenter: ListPresenting {
    weak var view: (any ListViewing)?
    private var items: [Item] = []
    private let interactor: any ListInteracting
    private let wireframe: any ListNavigating

    init(interactor: any ListInteracting, wireframe: any ListNavigating) {
        (self.interactor, self.wireframe) = (interactor, wireframe)
    }

    func load() async {
        view?.showLoading()
        do {
            items = try await interactor.items()
            view?.show(Self.sections(of: items))
        } catch {
            view?.show(
                Alert(title: "Cannot read the list", message: error.summary, actions: [ListAction.close]))
        }
    }

    func select(_ place: Int) {
        guard items.indices.contains(place) else { return }
        view?.show("\(items[place].title): \(items[place].detail)")
    }

    func press(_ action: ListAction) async {
        switch action {
        case .close: await wireframe.close()
        }
    }

    /// Returns the items grouped into sections. The sections are sorted by name, and the items in a section keep their
    /// order.
    private static func sections(of items: [Item]) -> [Section] {
        let groups = Dictionary(grouping: items.enumerated(), by: \.element.group)
        return groups.sorted { $0.key < $1.key }.map { group, items in
            Section(title: group, rows: items.map { Row(id: $0.offset, title: $0.element.title) })
        }
    }
}
