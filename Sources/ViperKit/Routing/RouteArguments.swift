/// The parameters of a route, declared as a Swift type in the module that provides the route.
///
/// ```swift
/// struct PersonRoute: RouteArguments {
///     static let route = "person"
///     var id: String
/// }
/// ```
///
/// Each property stands for the parameter with the same name. Its type is `String`, `Bool`, `Double`, `Float`, an
/// integer type, an enumeration with raw values of one of these types, or an array of such values. An optional property
/// stands for a parameter that may be missing. Add the type to ``RoutedModule/routeArguments``, so that `host build`
/// and `host test` compare it with the manifest.
///
/// To open a route of another module, pass the route's name to the navigator, because modules do not share types.
public protocol RouteArguments: Codable, Sendable {
    /// The route's name as declared in the manifest, such as `people/add`.
    static var route: String { get }
}

extension RouteArguments {
    /// Returns the properties as parameters, by name. The result omits properties that are nil.
    ///
    /// - Throws: ``ViperError/Code/parameterInvalid`` if the type of a property is not supported, if an integer does
    ///   not fit into 64 bits, or if a number is not finite.
    public func encodedParameters() throws(ViperError) -> [String: ParameterValue] {
        try ParameterEncoder.parameters(of: self)
    }
}

extension RouteRequest {
    /// Returns the parameters as a value of the given type.
    ///
    /// ```swift
    /// case PersonRoute.route:
    ///     let id = try request.arguments(as: PersonRoute.self).id
    /// ```
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if the request has no parameter for a property that is not
    ///   optional; ``ViperError/Code/parameterInvalid`` if a parameter cannot be converted to its property's type, or
    ///   if the type belongs to another route.
    public func arguments<Arguments: RouteArguments>(as type: Arguments.Type) throws(ViperError) -> Arguments {
        guard type.route.utf8.elementsEqual(route.utf8) else {
            throw ViperError(
                .parameterInvalid, operation: "cannot read parameters of route", subject: route,
                cause: "\(type) has the parameters of route \"\(type.route)\"",
                fix: "compare request.route with \(type).route first")
        }
        return try ParameterDecoder.decode(type, from: parameters)
    }
}
