public import ViperKit
import ViperRuntime

/// A configuration that a test makes up. Fails as a module's own does.
public struct FakeConfiguration: Configuration {
    private let configuration: ModuleConfiguration

    /// Values by key.
    public init(_ values: [String: ParameterValue] = [:]) {
        configuration = ModuleConfiguration(module: "test", values: values)
    }

    public func value<Value: ParameterConvertible>(
        _ key: String, as type: Value.Type
    ) throws(ViperError) -> Value {
        try configuration.value(key, as: type)
    }
}
