/// The passive view of a VIPER scene.
///
/// A view shows the data that its presenter provides, and forwards user events to the presenter. A view does not draw.
/// It describes a ``Screen``, which the host renders. The view owns its presenter, and the presenter holds a weak
/// reference to the view.
///
/// The host observes ``screen``. To show changes while work is in progress, mark the view `@Observable`.
///
/// ```swift
/// @Observable final class TodosView: View, TodosViewing {
///     private(set) var screen = Screen(title: "Todos")
///     @ObservationIgnored private let presenter: any TodosPresenting
///     init(presenter: any TodosPresenting) { self.presenter = presenter }
///     func load() async { await presenter.load() }
///     func handle(_ event: Event) async { await presenter.handle(event) }
///     func show(_ todos: [Row]) { screen.sections = [Section(rows: todos)] }
/// }
/// ```
@MainActor
public protocol View: AnyObject {
    /// The current screen.
    var screen: Screen { get }

    /// Starts the scene's work. Returns when the screen is settled, that is, when this work will not change it again.
    ///
    /// The host calls this method once, after the scene opens. The default implementation does nothing.
    func load() async

    /// Handles an event. Returns when the screen is settled.
    ///
    /// The default implementation does nothing.
    func handle(_ event: Event) async
}

extension View {
    public func load() async {}
    public func handle(_ event: Event) async {}
}
