/// Values that all views of this module share. The module creates them, and the wireframes pass them to the views.
struct TodoEnvironment: Sendable, Equatable {
    var title: String
}
