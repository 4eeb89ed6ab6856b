import ViperKit

/// The route that shows the details of a person, with its parameters.
struct PersonRoute: RouteArguments {
    static let route = "person"

    /// The `_id` of the person in `company.json`.
    var id: String
}
