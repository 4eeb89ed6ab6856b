import ViperKit

// The interfaces between the roles of the list. The presenter uses `PeopleViewing`, `PeopleInteracting` and
// `PeopleNavigating`; the view uses `PeoplePresenting`.

@MainActor
protocol PeopleViewing: AnyObject {
    func showLoading()
    func show(_ rows: [Row])
    /// Shows an alert above the list, or removes it if nil.
    func show(_ alert: Alert?)
}

@MainActor
protocol PeoplePresenting: AnyObject {
    func load() async
    func press(_ action: String) async
    func returned(from route: String) async
}

protocol PeopleInteracting: Sendable {
    /// Returns the people older than an age in years, or all people if the age is nil.
    func people(olderThan age: Int?) async throws(ViperError) -> [Person]
}

@MainActor
protocol PeopleNavigating: AnyObject {
    func addPerson() async throws(ViperError)
}

enum PeopleAction {
    static let add = Action(id: "add", title: "Add a person")
    static let retry = Action(id: "retry", title: "Retry")
    static let dismiss = Action(id: "dismiss", title: "Back to the list")
}

/// The routes that the list opens. The presenter receives an event when one of them returns a result.
enum PeopleRoute {
    static let add = "people/add"
}
