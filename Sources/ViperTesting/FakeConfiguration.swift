import ModuleCatalog
public import ViperKit

/// A configuration with values that a test defines. It throws the same errors as the configuration of a real module.
public struct FakeConfiguration: Configuration {
    private let configuration: ModuleConfiguration

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - values: The values by key.
    ///   - unset: The optional keys that have no value.
    public init(_ values: [String: ParameterValue] = [:], unset: Set<String> = []) {
        configuration = ModuleConfiguration(module: "test", values: values, keys: unset.union(values.keys))
    }

    public func valueIfPresent<Value: ParameterConvertible>(
        _ key: String, as type: Value.Type
    ) throws(ViperError) -> Value? {
        try configuration.valueIfPresent(key, as: type)
    }

    public func value<Value: ParameterConvertible>(
        _ key: String, as type: Value.Type
    ) throws(ViperError) -> Value {
        try configuration.value(key, as: type)
    }
}
