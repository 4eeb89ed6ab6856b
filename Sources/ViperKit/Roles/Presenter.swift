/// The presenter of a VIPER scene, which mediates between the view and the interactor.
///
/// A presenter formats the interactor's results for the view, and starts use cases in response to user events. It owns
/// its interactor and wireframe, and holds a weak reference to its view. It determines all display text and number
/// formats. Conforming types are isolated to the main actor.
///
/// A presenter declares the types of its actions, fields, and rows, so that the compiler detects misspelled names.
/// Declare these types in the protocol that the view uses for its presenter:
///
/// ```swift
/// protocol PeoplePresenting: Presenter where SceneAction == PeopleAction, SceneRow == String {}
/// ```
///
/// A presenter that declares one of these types also implements the corresponding method. The view forwards all events
/// to ``handle(_:)``.
@MainActor
public protocol Presenter: AnyObject {
    /// The type that identifies the actions of the scene and of its alerts.
    associatedtype SceneAction: ActionID = NoID
    /// The type that identifies the fields of the scene's form.
    associatedtype SceneField: FieldID = NoID
    /// The type that identifies the rows that the user can select.
    associatedtype SceneRow: RowID = NoID

    /// Starts the scene's work. Returns when the screen is settled, that is, when this work will not change it again.
    func load() async

    /// Performs an action. Returns when the screen is settled.
    func press(_ action: SceneAction) async

    /// Handles text that the user entered into a field, and shows the text in the form.
    func fill(_ field: SceneField, with text: String) async

    /// Handles the selection of a row. Returns when the screen is settled.
    func select(_ row: SceneRow) async

    /// Performs an action of a row. Returns when the screen is settled. The default implementation does nothing.
    func act(_ action: SceneAction, on row: SceneRow) async

    /// Handles an event. The default implementation calls the method for this kind of event, and ignores events for
    /// unknown actions, fields, and rows.
    func handle(_ event: Event) async

    /// Handles the result of the scene above, after that scene has closed.
    ///
    /// Returns when the screen is settled. The default implementation does nothing.
    ///
    /// - Parameters:
    ///   - route: The route of the closed scene.
    ///   - result: The result of the closed scene.
    func returned(from route: String, result: SceneResult) async
}

extension Presenter {
    public func returned(from route: String, result: SceneResult) async {}

    public func act(_ action: SceneAction, on row: SceneRow) async {}

    public func handle(_ event: Event) async {
        switch event {
        case .fill(let name, let text):
            if let field = SceneField(rawValue: name) { await fill(field, with: text) }
        case .press(let id):
            if let action = SceneAction(rawValue: id) { await press(action) }
        case .select(let id):
            if let row = Self.row(id) { await select(row) }
        case .act(let id, let name):
            if let row = Self.row(id), let action = SceneAction(rawValue: name) { await act(action, on: row) }
        case .returned(let route, let result): await returned(from: route, result: result)
        }
    }

    private static func row(_ id: String) -> SceneRow? {
        // Different texts can stand for the same row, such as `7` and `07`. Only the row's own ID refers to it.
        SceneRow(id).flatMap { $0.description.utf8.elementsEqual(id.utf8) ? $0 : nil }
    }
}

extension Presenter where SceneAction == NoID {
    public func press(_ action: NoID) async {}
}

extension Presenter where SceneField == NoID {
    public func fill(_ field: NoID, with text: String) async {}
}

extension Presenter where SceneRow == NoID {
    public func select(_ row: NoID) async {}
}
