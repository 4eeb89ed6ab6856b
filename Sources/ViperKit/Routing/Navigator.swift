/// Navigates from one scene. Its wireframe holds it; nothing else in a module knows it.
///
/// Scenes lie on each other in a window. Each has a navigator of its own, which refers to the scene weakly; once the scene is
/// closed, it does nothing.
@MainActor
public protocol Navigator: AnyObject, Sendable {
    /// Opens a route in a new scene, and returns when that scene's screen is settled.
    ///
    /// - Throws: What keeps the route from being opened, for the presenter to show: it is unknown, its module is refused, a
    ///   parameter is wrong, or ``ViperError/Code/navigationDepth`` when too many scenes lie on each other. The scene that
    ///   asked is then still open.
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene, and those above it, and releases all that hangs on them. Closing twice is closing once.
    ///
    /// Returns when the scene below, if there is one, has settled after ``Event/returned(from:result:)``.
    ///
    /// - Parameter result: What the scene below hears. Without it that scene hears nothing.
    /// - Throws: ``ViperError/Code/jsonInvalid`` when the result cannot be written as JSON. The scene stays open.
    func close(returning result: (any Encodable & Sendable)?) async throws(ViperError)
}

extension Navigator {
    /// Closes the scene without a result.
    public func close() async {
        // Only a result can fail.
        try? await close(returning: nil)
    }

    /// Opens a route above this scene, as the next step of what a person does.
    public func push(_ route: String, parameters: [String: ParameterValue]) async throws(ViperError) {
        try await open(route, parameters: parameters, as: .push)
    }

    /// Opens a route in front of this scene, as something to be finished first.
    public func present(_ route: String, parameters: [String: ParameterValue]) async throws(ViperError) {
        try await open(route, parameters: parameters, as: .present)
    }

    /// Opens a route in place of all scenes of the window.
    public func replaceRoot(_ route: String, parameters: [String: ParameterValue]) async throws(ViperError) {
        try await open(route, parameters: parameters, as: .replaceRoot)
    }
}
