public import ViperKit
import ViperRuntime

/// A configuration that a test makes up. Fails as a module's own does.
public struct FakeConfiguration: Configuration {
    private let configuration: ModuleConfiguration

    /// Values by key, and the keys that are optional and that nobody has set.
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
