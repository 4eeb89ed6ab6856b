/// What all views of this module share. The module makes it, and each wireframe hands it on to its view.
struct TodoEnvironment: Sendable, Equatable {
    /// The title of every screen.
    var title: String
}
