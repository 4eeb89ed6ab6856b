package import ModuleCatalog
package import ViperKit

/// A source of scenes for windows, such as the router of this host or a connection to another host.
@MainActor
package protocol SceneSource {
    /// Opens a route without starting the scene.
    ///
    /// - Parameters:
    ///   - route: The route's name, or an empty text for the start route.
    ///   - parameters: The parameters to validate.
    ///   - navigator: The navigator for the scene's wireframe.
    func open(
        _ route: String, _ parameters: UnvalidatedParameters, navigator: SceneNavigator
    ) async throws(ViperError) -> OpenedScene
}

/// Parameters that have not been checked against the manifest.
package struct UnvalidatedParameters: Sendable {
    /// The parameters that are given as strings, keyed by parameter name. A parameter with an array type has one string
    /// for each item.
    package var texts: [String: [String]]
    /// The other parameters, keyed by parameter name.
    package var values: [String: ParameterValue]

    package static func texts(_ texts: [String: [String]]) -> Self { Self(texts: texts) }

    package static func values(_ values: [String: ParameterValue]) -> Self { Self(values: values) }

    package init(texts: [String: [String]] = [:], values: [String: ParameterValue] = [:]) {
        (self.texts, self.values) = (texts, values)
    }

    /// Returns the parameters with those of an address. A text in both is then given twice, which only an array accepts.
    func adding(_ address: RouteAddress) -> Self {
        Self(texts: address.texts.merging(texts) { $0 + $1 }, values: values)
    }
}

/// A route that opens in place of a scene that a guard led to.
package struct NextRoute: Sendable {
    var route: String
    var parameters: [String: ParameterValue]
}

/// A new scene that no window shows yet.
package struct OpenedScene {
    /// The routes that open after this scene has closed with a result, because guards led to it. The first is the next.
    package var next: [NextRoute] = []
    /// The route's name. Empty for the start route of another host.
    package var route: String
    /// The scene's parameters. They include the manifest's defaults, unless another host opened the scene.
    package var parameters: [String: ParameterValue]
    package var content: any SceneContent
    package var calls: CallCount
    /// Its module's resources. Nil if there are none in this process.
    package var resources: ModuleResources?
    /// A closure that is called once, when the scene is closed and all its calls have returned.
    package var onRelease: () -> Void

    package init(
        route: String, parameters: [String: ParameterValue], content: any SceneContent, calls: CallCount,
        onRelease: @escaping () -> Void
    ) {
        (self.route, self.parameters, self.content, self.calls, self.onRelease) = (
            route, parameters, content, calls, onRelease
        )
    }
}
