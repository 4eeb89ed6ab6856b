package import ViperKit

/// The navigator that a scene's wireframe uses. It holds weak references to the scene and its window.
package final class SceneNavigator: Navigator {
    weak var scene: Scene?
    package let identity: String
    private weak var window: Window?

    package init(window: Window) { (self.window, identity) = (window, window.identity) }

    /// Closes the scene because of an error.
    func end(because error: ViperError) {
        guard let window, let scene else { return }
        window.end(scene, because: error)
    }

    package func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {
        guard let window, let scene, !scene.isClosed else { return }
        try await window.open(route, parameters: parameters, as: transition, from: scene)
    }

    package func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {
        guard let window, let scene, !scene.isClosed else { return }
        try await window.leave(
            scene, returning: result.map { value throws(ViperError) in try SceneResult(value) })
    }
}
