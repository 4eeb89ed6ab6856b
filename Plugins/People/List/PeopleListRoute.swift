import ViperKit

/// The route that lists people. It contains the route's parameters.
struct PeopleListRoute: RouteArguments {
    static let route = "people"

    /// The age limit in years. The list contains only people who are older than this limit. Nil to list all people.
    var olderThan: Int?
}
