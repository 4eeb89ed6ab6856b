import ViperKit

final class AlertPresenter: AlertPresenting {
    weak var view: (any AlertViewing)?
    private let alert: AlertRoute
    private let wireframe: any AlertNavigating

    init(_ alert: AlertRoute, wireframe: any AlertNavigating) { (self.alert, self.wireframe) = (alert, wireframe) }

    func load() { show(alert.message) }

    func press(_ action: AlertAction) async {
        do throws(ViperError) { try await wireframe.close(returning: action == .confirm) } catch {
            show(error.description)
        }
    }

    private func show(_ message: String?) {
        var confirm = Action(id: AlertAction.confirm.rawValue, title: alert.confirm)
        // The default key must not remove anything.
        confirm.role = alert.destructive ? .destructive : .default
        view?.show(title: alert.title, message: message, [confirm, Action(AlertAction.cancel)])
    }
}
