import ViperKit

/// The route that lists notes. It has no parameters.
struct NotesRoute: RouteArguments {
    static let route = "notes"
}

/// The route of another module that asks for a confirmation. It returns true if the user confirms.
enum OtherRoute {
    static let alert = "alert"
}
