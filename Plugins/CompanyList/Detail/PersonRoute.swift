import ViperKit

/// The parameters of the route that shows a person, in a scene of the module `details`.
struct PersonRoute: RouteArguments {
    static let route = "person"

    /// The person's `_id` in `company.json`.
    var id: String
}
