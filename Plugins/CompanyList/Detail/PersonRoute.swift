import ViperKit

/// The route that shows a person's details. It contains the route's parameters.
struct PersonRoute: RouteArguments {
    static let route = "person"

    /// The person's `_id` in `company.json`.
    var id: String
}
