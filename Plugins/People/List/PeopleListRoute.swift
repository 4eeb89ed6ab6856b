import ViperKit

/// The parameters of the route that lists people.
struct PeopleListRoute: RouteArguments {
    static let route = "people"

    /// The age in years above which people are listed. Nil for all people.
    var olderThan: Int?
}
