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

    /// Returns the parameter with the given name. If the type is optional, returns nil for an unset parameter.
    ///
    /// ```swift
    /// let age = try request.parameter("olderThan", as: Int?.self)
    /// ```
    ///
    /// ``Registrar/route(_:makeView:)-(Arguments.Type,_)`` reads all parameters of a route at once.
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if the manifest does not declare the parameter, or if the
    ///   parameter is optional and unset; ``ViperError/Code/parameterInvalid`` if the parameter cannot be converted to
    ///   the type.
    public func parameter<Value: Decodable>(_ name: String, as type: Value.Type) throws(ViperError) -> Value {
        try ParameterDecoder.decode(type, from: GivenParameters(values: parameters), at: name)
    }
}
