import ViperKit

// The interfaces between the roles of the form. The presenter uses `AddPersonViewing`, `AddPersonInteracting` and
// `AddPersonNavigating`; the view uses `AddPersonPresenting`.

@MainActor
protocol AddPersonViewing: AnyObject {
    func show(_ form: Form)
    func show(_ alert: Alert?)
    func showAdded(_ text: String)
}

@MainActor
protocol AddPersonPresenting: AnyObject {
    func load()
    func fill(_ field: String, _ text: String)
    func press(_ action: String) async
}

protocol AddPersonInteracting: Sendable {
    func add(name: String, age: Int) async throws(ViperError) -> Person
}

@MainActor
protocol AddPersonNavigating: AnyObject {
    /// Closes the form. The scene below receives the added person, if any.
    func close(returning person: Person?) async throws(ViperError)
}

enum AddPersonAction {
    static let add = Action(id: "add", title: "Add")
    static let cancel = Action(id: "cancel", title: "Cancel")
    static let dismiss = Action(id: "dismiss", title: "Back to the form")
}
