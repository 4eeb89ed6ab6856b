import ViperKit

/// The route that shows details. It returns the chosen action, if there is one.
struct DetailsRoute: RouteArguments, Equatable {
    static let route = "details"

    var title: String
    /// The labels of the values. A value without a label is shown alone.
    var labels: [String]
    var values: [String]
    /// The IDs of actions, such as `remove`. The scene closes when the user chooses one.
    var actions: [String]
}
