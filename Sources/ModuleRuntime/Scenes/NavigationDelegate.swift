package import ViperKit

/// A delegate that navigates in place of a window. The window has a single scene, which a client shows in a window of
/// its own.
@MainActor
package protocol NavigationDelegate: AnyObject {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene. The scene below it receives the result.
    func close(returning result: SceneResult?) async throws(ViperError)
}
