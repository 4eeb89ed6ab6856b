package import ViperKit

/// Navigates in the place of a window that holds one scene only, since whoever shows that scene has windows of its own.
@MainActor
package protocol OutsideNavigation: AnyObject {
    /// Opens what the scene leads to.
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene; the one below hears the result.
    func close(returning result: SceneResult?) async throws(ViperError)
}
