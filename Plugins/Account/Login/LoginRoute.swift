import ViperKit

/// The route of the login form. It has no parameters.
struct LoginRoute: RouteArguments {
    static let route = "login"
}
