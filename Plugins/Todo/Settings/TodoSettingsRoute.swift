import ViperKit

/// The route for the form that changes the settings of all scenes. It has no parameters.
struct TodoSettingsRoute: RouteArguments {
    static let route = "todos/settings"
}
