/// A description of the parameters that a ``RouteArguments`` type reads. `host build` and `host test` compare it with
/// the manifest.
@_spi(Host)
public struct RouteSignature: Sendable {
    /// A parameter that the argument type declares.
    public struct Parameter: Sendable, Equatable {
        /// The parameter's name.
        public let name: String
        /// The type of the value, or of the items if the parameter is an array, as declared in manifests.
        public let type: String
        /// A Boolean value that indicates whether the parameter is an array.
        public let isArray: Bool
        /// A Boolean value that indicates whether the parameter may be missing.
        public let isOptional: Bool
        /// The allowed values of an enumeration, as given on the command line. Empty if the type is not an enumeration.
        public let allowed: [String]
    }

    /// The name of the Swift type.
    public let type: String
    /// The name of the route.
    public let route: String
    /// The parameters, in the order in which the type reads them.
    public let parameters: [Parameter]
    /// The error that occurred while the parameters were recorded, or nil if all parameters were recorded.
    public let failure: ViperError?

    /// Creates the signature of a type by decoding the type once. Each parameter that the type reads has a placeholder
    /// value.
    ///
    /// - Parameter type: The type to describe. This initializer calls the type's `init(from:)`.
    public init(of type: any RouteArguments.Type) {
        let recorder = ParameterRecorder()
        do throws(ViperError) {
            _ = try ParameterDecoder.decode(type, from: recorder)
            failure = nil
        } catch {
            failure = error
        }
        self.type = "\(type)"
        route = type.route
        parameters = recorder.parameters.compactMap { parameter in
            guard let type = parameter.type else { return nil }
            return Parameter(
                name: parameter.name, type: type, isArray: parameter.isArray, isOptional: parameter.isOptional,
                allowed: parameter.allowed.map { if case .string(let text) = $0 { text } else { "\($0)" } })
        }
    }
}
