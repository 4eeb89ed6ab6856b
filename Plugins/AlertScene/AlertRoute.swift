import ViperKit

/// The route that asks for a confirmation. It returns true if the user confirms, and false if not.
struct AlertRoute: RouteArguments, Equatable {
    static let route = "alert"

    /// The question.
    var title: String
    var message: String?
    /// The title of the action that confirms.
    var confirm: String
    /// True if confirming removes something.
    var destructive: Bool
}
