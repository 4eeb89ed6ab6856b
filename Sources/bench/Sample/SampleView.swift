import Observation
import ViperKit

@Observable
final class SampleView: View {
    static let add = Action(id: "add", title: "Add")

    private(set) var screen = Screen(title: "Sample")
    @ObservationIgnored private let presenter: SamplePresenter

    init(presenter: SamplePresenter) {
        self.presenter = presenter
        screen.actions = [Self.add]
    }

    func load() async { await presenter.load() }

    func handle(_ event: Event) async {
        switch event {
        case .press(Self.add.id): await presenter.add()
        default: break
        }
    }

    func show(rows: [String]) { screen.sections = [Section(rows: rows.map { Row(id: $0, title: $0) })] }

    func show(number: Int) { screen.text = "\(number)" }
}

/// A navigator that does nothing.
final class IdleNavigator: Navigator {
    func open(_ route: String, parameters: [String: ParameterValue], as transition: Transition) async {}
    func close(returning result: (any Encodable & Sendable)?) async {}
}
