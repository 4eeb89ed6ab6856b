package import ViperKit

/// Navigates instead of a window whose single scene is shown by a client. The client has windows of its own.
@MainActor
package protocol OutsideNavigation: AnyObject {
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene. The scene below receives the result.
    func close(returning result: SceneResult?) async throws(ViperError)
}
