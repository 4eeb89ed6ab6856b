package import ViperKit

/// A delegate that navigates in place of a window. It belongs to a client that shows the window's only scene in its own
/// window.
@MainActor
package protocol NavigationDelegate: AnyObject {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene. The scene below it receives the result.
    func close(returning result: SceneResult?) async throws(ViperError)
}
