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

protocol PeoplePresenting: Presenter where SceneAction == PeopleAction {}

protocol PeopleInteracting: Sendable {
    /// Returns the people who are older than an age in years, or all people if the age is nil.
    func people(olderThan age: Int?) async throws(ViperError) -> [Person]

    /// Returns a stream of future changes to the stored people. To avoid missing a change, call this method before
    /// reading the people.
    func changes() -> AsyncStream<CollectionChange>
}

@MainActor
protocol PeopleNavigating: AnyObject {
    func addPerson() async throws(ViperError)
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
