import ViperKit

/// The route for the login form. It has no parameters.
struct LoginRoute: RouteArguments {
    static let route = "login"
}
