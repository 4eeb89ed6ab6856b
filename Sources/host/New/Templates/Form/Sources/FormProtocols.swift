import ViperKit

// The interfaces between the roles. Tests replace each role with a fake.

/// The presenter's interface to the view.
@MainActor
protocol FormViewing: AnyObject {
    func show(_ form: Form)
    /// Shows an alert in front of the form, or removes it if nil.
    func show(_ alert: Alert?)
    /// Replaces the form with a text.
    func showAdded(_ text: String)
}

/// The view's interface to the presenter.
@MainActor
protocol FormPresenting: AnyObject {
    func load()
    func fill(_ field: String, _ text: String)
    func press(_ action: String) async
}

/// The presenter's interface to the interactor.
protocol FormInteracting: Sendable {
    func add(name: String, amount: Int) async throws(ViperError) -> Entry
}

/// The presenter's interface to the wireframe.
@MainActor
protocol FormNavigating: AnyObject {
    /// Closes the form. The scene below receives the added entry, if any.
    func close(returning entry: Entry?) async throws(ViperError)
}

/// The actions of the scene. The view or an alert shows them, and the presenter performs them.
enum FormAction {
    static let add = Action(id: "add", title: "Add")
    static let cancel = Action(id: "cancel", title: "Cancel")
    static let dismiss = Action(id: "dismiss", title: "Back to the form")
}
