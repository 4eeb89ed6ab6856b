import ViperKit

// The interfaces between the roles of the list. The presenter uses `PeopleViewing`, `PeopleInteracting` and
// `PeopleNavigating`. The view uses `PeoplePresenting`.

@MainActor
protocol PeopleViewing: AnyObject {
    func showLoading()
    /// Shows people.
    ///
    /// - Parameters:
    ///   - people: The rows of the shown pages.
    ///   - search: The text that was searched for. Nil if there is no search.
    ///   - emptyText: The text to show if there are no rows.
    func show(_ people: Section, search: String?, emptyText: String)
    /// Shows a short confirmation. If it is nil, removes the current one.
    func show(message: String?)
    /// Shows an alert above the list. If the alert is nil, removes the current alert.
    func show(_ alert: Alert?)
}

protocol PeoplePresenting: Presenter
where SceneAction == PeopleAction, SceneField == PeopleField, SceneRow == String {}

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
    case add, more, retry, dismiss

    var title: String {
        switch self {
        case .add: "Add a person"
        case .more: "More people"
        case .retry: "Retry"
        case .dismiss: "Back to the list"
        }
    }

    var role: Action.Role? {
        switch self {
        case .add: .default
        case .more: nil
        case .retry: .refresh
        case .dismiss: .cancel
        }
    }

    var key: String? {
        switch self {
        case .add: "n"
        case .more: "m"
        default: nil
        }
    }
}

enum PeopleField: String, FieldID {
    case search

    var kind: Field.Kind { .search }
    var placeholder: String? { "part of a name" }
}
