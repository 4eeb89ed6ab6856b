import ViperKit

// The interfaces between the roles of the list. The presenter uses `PeopleViewing`, `PeopleInteracting` and
// `PeopleNavigating`. The view uses `PeoplePresenting`.

@MainActor
protocol PeopleViewing: AnyObject {
    func showLoading()
    func show(_ rows: [Row])
    /// Shows an alert above the list. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

protocol PeoplePresenting: Presenter where SceneAction == PeopleAction, SceneRow == String {}

protocol PeopleInteracting: Sendable {
    /// Returns the people who are older than an age in years, or all people if the age is nil.
    func people(olderThan age: Int?) async throws(ViperError) -> [Person]

    /// Removes a person from the stored people.
    func remove(_ person: Person) async throws(ViperError)

    /// Returns a stream of future changes to the stored people. To avoid missing a change, call this method before
    /// reading the people.
    func changes() -> AsyncStream<CollectionChange>
}

@MainActor
protocol PeopleNavigating: AnyObject {
    func addPerson() async throws(ViperError)
    /// Shows a person in a scene of another module, which returns ``OtherRoute/removal`` if the user wants to remove the person.
    func show(_ person: Person) async throws(ViperError)
    /// Asks in a scene of another module whether to remove a person. The scene returns true if the user confirms.
    func confirmRemoval(of person: Person) async throws(ViperError)
}

/// Routes of other modules, which share no types with this one.
enum OtherRoute {
    static let (details, alert) = ("details", "alert")
    /// The action of `details` that removes a person.
    static let removal = "remove"
}

enum PeopleAction: String, ActionID {
    case add, retry, dismiss

    var title: String {
        switch self {
        case .add: "Add a person"
        case .retry: "Retry"
        case .dismiss: "Back to the list"
        }
    }
}
