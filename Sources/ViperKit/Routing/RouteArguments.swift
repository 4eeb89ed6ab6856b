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
/// stands for a parameter that may be missing. `host build` and `host test` compare the type with the manifest if the
/// module registers its route with this type.
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
