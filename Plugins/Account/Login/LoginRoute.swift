import ViperKit

/// The route for the login form.
struct LoginRoute: RouteArguments {
    static let route = "login"

    /// True if the form closes after a login, because a guard led to it. Otherwise the home screen opens.
    var returns: Bool?
}
