import ViperKit

/// The route that lists people, with its parameters.
struct PeopleListRoute: RouteArguments {
    static let route = "people"

    /// If not nil, only people older than this age in years are listed.
    var olderThan: Int?
}
