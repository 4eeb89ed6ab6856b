/// The values that all of this module's views share. The module creates them, and the wireframes pass them to the
/// views.
struct TodoEnvironment: Sendable, Equatable {
    var title: String
}
