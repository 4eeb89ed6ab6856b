import ViperKit

/// The route that logs the user in. It has no parameters.
struct LoginRoute: RouteArguments {
    static let route = "login"
}
