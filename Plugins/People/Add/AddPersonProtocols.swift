import ViperKit

// What the roles of the form know of each other.

/// What the presenter asks of the view.
@MainActor
protocol AddPersonViewing: AnyObject {
    func show(_ form: Form)
    func show(_ alert: Alert?)
    func showAdded(_ text: String)
}

/// What the view asks of the presenter.
@MainActor
protocol AddPersonPresenting: AnyObject {
    func load()
    func fill(_ field: String, _ text: String)
    func press(_ action: String) async
}

/// What the presenter asks of the interactor.
protocol AddPersonInteracting: Sendable {
    func add(name: String, age: Int) async throws(ViperError) -> Person
}

/// What the presenter asks of the wireframe.
@MainActor
protocol AddPersonNavigating: AnyObject {
    /// Closes the form; whoever opened it hears who was added.
    func close(returning person: Person?) async throws(ViperError)
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum AddPersonAction {
    static let add = Action(id: "add", title: "Add")
    static let cancel = Action(id: "cancel", title: "Cancel")
    static let dismiss = Action(id: "dismiss", title: "Back to the form")
}
