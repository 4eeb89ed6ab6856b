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
/// protocol PeoplePresenting: Presenter where Actions == PeopleAction, Rows == String {}
/// ```
///
/// A presenter that names a type also implements the method for it. The view forwards all events to ``handle(_:)``.
@MainActor
public protocol Presenter: AnyObject {
    /// The IDs of the scene's actions, including those of alerts.
    associatedtype Actions: ActionID = Never
    /// The IDs of the form's fields.
    associatedtype Fields: FieldID = Never
    /// The identities of the rows that the user can select.
    associatedtype Rows: RowID = Never

    /// Starts the scene's work. Returns when the screen is settled.
    func load() async

    /// Performs an action. Returns when the screen is settled.
    func press(_ action: Actions) async

    /// Takes the text of a field, and shows it in the form.
    func fill(_ field: Fields, with text: String) async

    /// Handles the selection of a row. Returns when the screen is settled.
    func select(_ row: Rows) async

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
            if let field = Fields(rawValue: name) { await fill(field, with: text) }
        case .press(let id):
            if let action = Actions(rawValue: id) { await press(action) }
        case .select(let id):
            if let row = Rows(rowID: id) { await select(row) }
        case .returned(let route, let result): await returned(from: route, result: result)
        }
    }
}

extension Presenter where Actions == Never {
    public func press(_ action: Never) async {}
}

extension Presenter where Fields == Never {
    public func fill(_ field: Never, with text: String) async {}
}

extension Presenter where Rows == Never {
    public func select(_ row: Never) async {}
}
