package import ViperKit

/// Where the scenes of a window come from: the router of this host, or another host.
@MainActor
package protocol SceneSource {
    /// Opens a route, without beginning the scene's work.
    ///
    /// - Parameters:
    ///   - route: The route's name.
    ///   - parameters: What was said with it.
    ///   - navigator: What the scene's wireframe navigates with.
    func open(
        _ route: String, _ parameters: GivenParameters, navigator: any Navigator
    ) async throws(ViperError) -> OpenedScene
}

/// What is said with a route, before it is held against the manifest.
package enum GivenParameters: Sendable {
    /// As a person types it.
    case texts([String: String])
    /// As code says it.
    case values([String: ParameterValue])
}

/// A scene that was opened, before it is anywhere.
package struct OpenedScene {
    /// The parameters that it was opened with, complete where that is known here.
    package var parameters: [String: ParameterValue]
    package var content: any SceneContent
    /// Counts what is asked of it.
    package var calls: CallCount
    /// Hears that it was closed, once.
    package var onRelease: () -> Void

    package init(
        parameters: [String: ParameterValue], content: any SceneContent, calls: CallCount,
        onRelease: @escaping () -> Void
    ) {
        (self.parameters, self.content, self.calls, self.onRelease) = (parameters, content, calls, onRelease)
    }
}
