import ViperKit

/// The route that greets the user. It has no parameters.
struct HomeRoute: RouteArguments {
    static let route = "home"
}
