/// The navigation interface of one scene. Only the scene's wireframe holds it.
///
/// Scenes are stacked in a window. Each scene has its own navigator, which holds a weak reference to the scene. After
/// the scene has closed, calls to its navigator have no effect.
@MainActor
public protocol Navigator: AnyObject, Sendable {
    /// Opens a route in a new scene. Returns when the new scene's screen is settled.
    ///
    /// If this scene closes while the route's module loads, no scene is opened. If the new scene cannot be created,
    /// this scene stays open.
    ///
    /// - Parameters:
    ///   - route: The route's name. Further parameters may follow it as in a URI, such as `person?id=58f9`, with
    ///     percent-encoding (RFC 3986).
    ///   - parameters: The route's parameters by name. The host adds the manifest's defaults.
    ///   - transition: The way in which the new scene opens, relative to this scene.
    /// - Throws: An error for the presenter to show, if the route is unknown, its module is refused, a parameter is
    ///   invalid, too many scenes are open (``ViperError/Code/navigationTooDeep``), or the host does not know the
    ///   transition (``ViperError/Code/transitionUnknown``).
    func open(
        _ route: String, parameters: [String: ParameterValue], as transition: Transition
    ) async throws(ViperError)

    /// Closes the scene and all scenes above it, and releases them. Closing a closed scene has no effect.
    ///
    /// If a result is given, this method returns after the scene below has handled ``Event/returned(from:result:)``.
    ///
    /// - Parameter result: The result for the scene below. If nil, the scene below receives no event.
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the result cannot be encoded as JSON. The scene then stays open.
    func close(returning result: (any Encodable & Sendable)?) async throws(ViperError)

    /// The identity of the scene's window, which tells users apart. It is a text that the front end chose, such as the
    /// ID of a browser's session. Empty if the front end does not tell users apart.
    var identity: String { get }
}

extension Navigator {
    /// The empty text.
    public var identity: String { "" }

    /// Closes the scene without a result.
    public func close() async {
        // Without a result, encoding cannot fail. In a worker process, an error means that the scene has already ended.
        try? await close(returning: nil)
    }

    /// Opens a route without parameters in a new scene. Returns when the new scene's screen is settled.
    ///
    /// - Parameters:
    ///   - route: The route's name.
    ///   - transition: The way in which the new scene opens, relative to this scene.
    /// - Throws: The errors of ``open(_:parameters:as:)``.
    public func open(_ route: String, as transition: Transition) async throws(ViperError) {
        try await open(route, parameters: [:], as: transition)
    }

    /// Opens the route of the arguments in a new scene. Returns when the new scene's screen is settled.
    ///
    /// - Parameters:
    ///   - arguments: The route's parameters.
    ///   - transition: The way in which the new scene opens, relative to this scene.
    /// - Throws: The errors of ``open(_:parameters:as:)`` and of ``RouteArguments/encodedParameters()``.
    public func open<Arguments: RouteArguments>(
        _ arguments: Arguments, as transition: Transition
    ) async throws(ViperError) {
        try await open(Arguments.route, parameters: try arguments.encodedParameters(), as: transition)
    }
}
