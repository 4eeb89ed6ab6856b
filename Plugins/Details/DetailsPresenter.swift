import ViperKit

final class DetailsPresenter: DetailsPresenting {
    weak var view: (any DetailsViewing)?
    private let details: DetailsRoute
    private let wireframe: any DetailsNavigating

    init(_ details: DetailsRoute, wireframe: any DetailsNavigating) {
        (self.details, self.wireframe) = (details, wireframe)
    }

    func load() {
        let rows = details.values.enumerated().map { index, value in
            let label = details.labels.indices.contains(index) ? details.labels[index] : nil
            var row = Row(id: index, title: label ?? value, detail: label == nil ? nil : value)
            row.isSelectable = false
            return row
        }
        let known = [DetailsAction.close, .dismiss]
        let actions = details.actions.map(DetailsAction.init).filter { !known.contains($0) }
        view?.show(title: details.title, rows, actions + [.close])
    }

    func press(_ action: DetailsAction) async {
        if action == .dismiss { return load() }
        guard action == .close || details.actions.contains(action.rawValue) else { return }
        do throws(ViperError) {
            try await wireframe.close(choosing: action == .close ? nil : action.rawValue)
        } catch {
            view?.show(Alert(title: "Cannot go back", message: error.description, actions: [DetailsAction.dismiss]))
        }
    }
}
