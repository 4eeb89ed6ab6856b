/// The P of VIPER: the mediator between view and interactor.
///
/// The presenter formats the interactor's results for the view, and turns user events into use cases. It owns its
/// interactor and its wireframe, and refers to its view weakly. It decides all display text and number formats.
/// Conforming types are isolated to the main actor.
///
/// A presenter names the types of its actions, fields and rows, so that the compiler finds a misspelt one. The view's
/// protocol for its presenter is a good place for them:
///
/// ```swift
/// protocol PeoplePresenting: Presenter where SceneAction == PeopleAction, SceneRow == String {}
/// ```
///
/// A presenter that names a type also implements the method for it. The view forwards all events to ``handle(_:)``.
@MainActor
public protocol Presenter: AnyObject {
    /// The ID of an action of the scene or of its alerts.
    associatedtype SceneAction: ActionID = Never
    /// The ID of a field of the scene's form.
    associatedtype SceneField: FieldID = Never
    /// The identity of a row that the user can select.
    associatedtype SceneRow: RowID = Never

    /// Starts the scene's work. Returns when the screen is settled.
    func load() async

    /// Performs an action. Returns when the screen is settled.
    func press(_ action: SceneAction) async

    /// Takes the text of a field, and shows it in the form.
    func fill(_ field: SceneField, with text: String) async

    /// Handles the selection of a row. Returns when the screen is settled.
    func select(_ row: SceneRow) async

    /// Handles an event. The default implementation calls the method for it. An event for an unknown action, field or
    /// row does nothing.
    func handle(_ event: Event) async

    /// Handles the result of the scene above, opened by this route, after it closed.
    ///
    /// Returns when the screen is settled. The default implementation does nothing.
    func returned(from route: String, result: SceneResult) async
}

extension Presenter {
    public func returned(from route: String, result: SceneResult) async {}

    public func handle(_ event: Event) async {
        switch event {
        case .fill(let name, let text):
            if let field = SceneField(rawValue: name) { await fill(field, with: text) }
        case .press(let id):
            if let action = SceneAction(rawValue: id) { await press(action) }
        case .select(let id):
            if let row = SceneRow(rowID: id) { await select(row) }
        case .returned(let route, let result): await returned(from: route, result: result)
        }
    }
}

extension Presenter where SceneAction == Never {
    public func press(_ action: Never) async {}
}

extension Presenter where SceneField == Never {
    public func fill(_ field: Never, with text: String) async {}
}

extension Presenter where SceneRow == Never {
    public func select(_ row: Never) async {}
}
