import ViperKit

/// The parameters of the route that lists people.
struct PeopleListRoute: RouteArguments {
    static let route = "people"

    /// The age limit in years. The list contains only people who are older than this limit. Nil to list all people.
    var olderThan: Int?
}
