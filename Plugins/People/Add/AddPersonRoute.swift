import ViperKit

/// The route for the form that adds a person. It has no parameters.
struct AddPersonRoute: RouteArguments {
    static let route = "people/add"
}
