import ViperKit

// What the roles of the list know of each other.

/// What the presenter asks of the view.
@MainActor
protocol PeopleViewing: AnyObject {
    func showLoading()
    func show(_ rows: [Row])
    /// Shows an alert in front of the list; nil takes it away.
    func show(_ alert: Alert?)
}

/// What the view asks of the presenter.
@MainActor
protocol PeoplePresenting: AnyObject {
    func load() async
    func press(_ action: String) async
    func returned(from route: String) async
}

/// What the presenter asks of the interactor.
protocol PeopleInteracting: Sendable {
    /// Those who are older than an age in years; everybody when there is none.
    func people(olderThan age: Int?) async throws(ViperError) -> [Person]
}

/// What the presenter asks of the wireframe.
@MainActor
protocol PeopleNavigating: AnyObject {
    func addPerson() async throws(ViperError)
}

/// What a person can do here: the view or an alert shows it, and the presenter does it.
enum PeopleAction {
    static let add = Action(id: "add", title: "Add a person")
    static let retry = Action(id: "retry", title: "Retry")
    static let dismiss = Action(id: "dismiss", title: "Back to the list")
}

/// The routes that the list leads to: the wireframe opens them, and the presenter hears of them when they return.
enum PeopleRoute {
    static let add = "people/add"
}
