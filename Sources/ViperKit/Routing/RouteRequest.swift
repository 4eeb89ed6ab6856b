/// A request to open a route, with validated parameters and the navigator of the new scene.
public struct RouteRequest: Sendable {
    /// The route's name as declared in the manifest, such as `people/add`.
    public let route: String
    /// The parameters, validated against the manifest and completed with its defaults.
    public let parameters: [String: ParameterValue]
    /// The navigator of the new scene. Pass it to the scene's wireframe.
    public let navigator: any Navigator

    /// Creates a request. The host creates requests, and tests may create their own.
    public init(route: String, parameters: [String: ParameterValue], navigator: any Navigator) {
        (self.route, self.parameters, self.navigator) = (route, parameters, navigator)
    }

    /// The error to throw from ``RoutedModule/view(for:)`` for an unknown route.
    ///
    /// The host opens only declared routes, so this error means that the manifest and the module's code disagree.
    public var unknownRouteError: ViperError {
        ViperError(
            .routeUnanswered, operation: "cannot answer route", subject: route, cause: "the module does not handle it",
            fix: "use the same name in the manifest and in view(for:)")
    }

    /// Returns the parameter with the given name.
    ///
    /// ```swift
    /// let age = try request.parameter("olderThan", as: Int.self)
    /// ```
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if the manifest does not declare the parameter, or if the
    ///   parameter is optional and unset; ``ViperError/Code/parameterInvalid`` if the parameter cannot be converted to
    ///   the type.
    public func parameter<Value: ParameterConvertible>(
        _ name: String, as type: Value.Type
    ) throws(ViperError) -> Value {
        if let value = try parameterIfPresent(name, as: type) { return value }
        throw .missing(name, "route \"\(route)\" was opened without it")
    }

    /// Returns the parameter with the given name, or nil if the request does not contain it.
    ///
    /// - Throws: ``ViperError/Code/parameterInvalid`` if the parameter cannot be converted to the type.
    public func parameterIfPresent<Value: ParameterConvertible>(
        _ name: String, as type: Value.Type
    ) throws(ViperError) -> Value? {
        guard let parameter = parameters[name] else { return nil }
        if let value = Value(parameter: parameter) { return value }
        throw .mistyped(name, parameter, type)
    }
}
