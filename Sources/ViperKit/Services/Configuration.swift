/// The values of the keys that a module's manifest declares in `config`.
///
/// The host looks for each value in `--set MODULE.KEY=VALUE`, in the root's `host.json`, and in the manifest's default,
/// in this order. The host validates all values before it creates the module.
///
/// ```swift
/// struct Settings: Decodable { var baseURL: String, retries: Int? }
///
/// let settings = try services.resolve(.configuration).decode(Settings.self)
/// ```
public struct Configuration: Sendable, Equatable {
    /// The values by key.
    public let values: [String: ParameterValue]
    /// The optional keys that have no value.
    public let unset: Set<String>
    /// The module's name, for use in errors.
    public let module: String

    /// Creates a configuration. The host creates configurations, and tests may create their own.
    ///
    /// - Parameters:
    ///   - values: The values by key.
    ///   - unset: The optional keys that have no value.
    ///   - module: The module's name, for use in errors.
    public init(_ values: [String: ParameterValue] = [:], unset: Set<String> = [], module: String = "module") {
        (self.values, self.unset, self.module) = (values, unset, module)
    }

    /// Decodes the configuration as a structure. Each property reads the key with the same name, and has a type as in
    /// ``RouteArguments``. An optional property stands for an optional key.
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if the manifest does not declare the key of a property, or if the
    ///   key is unset and its property is not optional; ``ViperError/Code/parameterInvalid`` if a value cannot be
    ///   converted to its property's type.
    public func decode<Settings: Decodable>(_ type: Settings.Type) throws(ViperError) -> Settings {
        try ParameterDecoder.decode(
            type, from: GivenParameters(values: values, kind: .configuration(module: module), unset: unset))
    }
}

extension ServiceKey where Service == Configuration {
    /// The module's configuration, named `configuration` in manifests. The host provides this service.
    public static var configuration: Self { Self("configuration") }
}
