/// One open of a route: its name, its parameters, and the way to navigate from the scene that it opens.
public struct RouteRequest: Sendable {
    /// The route's name as the manifest declares it, such as `people/add`.
    public let route: String
    /// The parameters, checked against the manifest, with its defaults filled in.
    public let parameters: [String: ParameterValue]
    /// Navigates from the scene that this request opens. Belongs to its wireframe.
    public let navigator: any Navigator

    /// A request. The host makes it; a test makes its own.
    public init(route: String, parameters: [String: ParameterValue], navigator: any Navigator) {
        (self.route, self.parameters, self.navigator) = (route, parameters, navigator)
    }

    /// What ``RoutedModule/view(for:)`` throws for a route that it does not know. Since ViperKit 1.1.
    ///
    /// The host opens declared routes only; but a manifest and a module that spell one differently would else show another.
    public var unknownRoute: ViperError {
        ViperError(
            .routeUnanswered, "cannot answer route", route, cause: "the module's code does not know it",
            mend: "spell it alike in the manifest and in view(for:)")
    }

    /// The parameter with this name.
    ///
    /// ```swift
    /// let age = try request.parameter("olderThan", as: Int.self)
    /// ```
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` when the manifest declares no such parameter (or an optional one that
    ///   was not given), ``ViperError/Code/parameterType`` when it declares another type.
    public func parameter<Value: ParameterConvertible>(
        _ name: String, as type: Value.Type
    ) throws(ViperError) -> Value {
        if let value = try parameterIfPresent(name, as: type) { return value }
        throw ViperError(
            .parameterMissing, "cannot read parameter", name, cause: "route \"\(route)\" was opened without it",
            mend: "declare it in the manifest's route, with a default or as required")
    }

    /// The parameter with this name, or nil when the request does not carry it.
    ///
    /// - Throws: ``ViperError/Code/parameterType`` when the manifest declares another type.
    public func parameterIfPresent<Value: ParameterConvertible>(
        _ name: String, as type: Value.Type
    ) throws(ViperError) -> Value? {
        guard let parameter = parameters[name] else { return nil }
        if let value = Value(parameter: parameter) { return value }
        throw ViperError(
            .parameterType, "cannot read parameter", name, cause: "\(parameter) is no \(type)",
            mend: "ask for the type that the manifest declares")
    }
}
