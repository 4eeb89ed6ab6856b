package import ViperKit

/// The navigation of a client that shows a window's only scene. The client has windows of its own, so it navigates
/// instead of the window.
@MainActor
package protocol NavigationDelegate: AnyObject {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene. The scene below receives the result.
    func close(returning result: SceneResult?) async throws(ViperError)
}
