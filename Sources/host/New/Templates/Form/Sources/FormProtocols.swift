import ViperKit

// What the roles know of each other. In its test, each role has fakes around it.

/// What the presenter asks of the view.
@MainActor
protocol FormViewing: AnyObject {
    func show(_ form: Form)
    /// Shows an alert in front of the form; nil takes it away.
    func show(_ alert: Alert?)
    /// Shows a text in place of the form.
    func showAdded(_ text: String)
}

/// What the view asks of the presenter.
@MainActor
protocol FormPresenting: AnyObject {
    func load()
    func fill(_ field: String, _ text: String)
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol FormInteracting: Sendable {
    func add(name: String, amount: Int) async throws(ViperError) -> Entry
}

/// What the presenter asks of the wireframe.
@MainActor
protocol FormNavigating: AnyObject {
    /// Closes the form; whoever opened it hears what was added.
    func close(returning entry: Entry?) async throws(ViperError)
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum FormAction {
    static let add = Action(id: "add", title: "Add")
    static let cancel = Action(id: "cancel", title: "Cancel")
    static let dismiss = Action(id: "dismiss", title: "Back to the form")
}
