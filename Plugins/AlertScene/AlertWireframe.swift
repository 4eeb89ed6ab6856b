import ViperKit

final class AlertWireframe: Wireframe, AlertNavigating {
    private let navigator: any Navigator

    init(navigator: any Navigator) { self.navigator = navigator }

    static func assemble(_ alert: AlertRoute, navigator: any Navigator) -> any View {
        let presenter = AlertPresenter(alert, wireframe: AlertWireframe(navigator: navigator))
        let view = AlertView(presenter: presenter)
        presenter.view = view
        return view
    }

    func close(returning isConfirmed: Bool) async throws(ViperError) {
        try await navigator.close(returning: isConfirmed)
    }
}
