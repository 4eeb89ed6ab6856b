import ViperKit

/// The route for the screen that greets the user. It has no parameters.
struct HomeRoute: RouteArguments {
    static let route = "home"
}
