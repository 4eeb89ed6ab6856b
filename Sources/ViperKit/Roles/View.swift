/// The V of VIPER: passive, it shows what its presenter tells it to and passes on what a person does.
///
/// A view does not draw. It describes a ``Screen``, and the host renders it. It owns its presenter; the presenter refers
/// back to it weakly.
///
/// To show a change while work is going on, mark the view `@Observable`: the host observes ``screen``.
///
/// ```swift
/// @Observable final class TodosView: View, TodosViewInterface {
///     private(set) var screen = Screen(title: "Todos")
///     @ObservationIgnored private let presenter: any TodosPresenting
///     func viewDidLoad() async { await presenter.load() }
///     func show(_ todos: [Row]) { screen.sections = [Section(rows: todos)] }
/// }
/// ```
@MainActor
public protocol View: AnyObject {
    /// What to show now.
    var screen: Screen { get }

    /// Begins the scene's work. Returns when the screen is settled, so that a test or a script need not wait for more.
    ///
    /// Runs once, after the view was made. The default does nothing.
    func viewDidLoad() async

    /// Does what a person asked for. Returns when the screen is settled.
    ///
    /// The default does nothing.
    func handle(_ event: Event) async
}

extension View {
    public func viewDidLoad() async {}
    public func handle(_ event: Event) async {}
}
