package import ViperKit

/// The navigator that a scene's wireframe uses. It holds weak references to the scene and its window.
package final class SceneNavigator: Navigator {
    weak var scene: Scene?
    package let identity: String
    /// A closure for tests. It receives each address that the scene opens, before the host finds its route.
    package var onOpen: ((String) -> Void)?
    private weak var window: Window?

    package init(window: Window) { (self.window, identity) = (window, window.identity) }

    /// The error because of which a guard has taken back that the scene may be open. Nil if none has.
    private(set) var revocation: ViperError?

    /// Closes the scene because a guard has taken back that it may be open. If the scene is still being created, it will
    /// not open.
    func revoke(because error: ViperError) {
        revocation = error
        if let window, let scene { window.end(scene, because: error) }
    }

    package func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError) {
        guard let window, let scene, !scene.isClosed else { return }
        onOpen?(route)
        try await window.open(route, parameters: parameters, as: transition, from: scene)
    }

    package func close(returning result: (any Encodable & Sendable)?) async throws(ViperError) {
        guard let window, let scene, !scene.isClosed else { return }
        try await window.leave(
            scene, returning: result.map { value throws(ViperError) in try SceneResult(value) })
    }
}
