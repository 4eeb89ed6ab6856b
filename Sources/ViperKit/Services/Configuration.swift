/// The values of the keys that a module's manifest declares in `config`.
///
/// The host looks for each value in `--set MODULE.KEY=VALUE`, in the root's `host.json`, and in the manifest's default,
/// in this order. The host validates all values before it creates the module.
public protocol Configuration: Sendable {
    /// Returns the value of a key.
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if the manifest does not declare the key, or the key is optional
    ///   and unset; ``ViperError/Code/parameterInvalid`` if the value cannot be converted to the type.
    func value<Value: ParameterConvertible>(_ key: String, as type: Value.Type) throws(ViperError) -> Value

    /// Returns the value of a key, or nil if the key is optional and unset.
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if the manifest does not declare the key;
    ///   ``ViperError/Code/parameterInvalid`` if the value cannot be converted to the type.
    func valueIfPresent<Value: ParameterConvertible>(_ key: String, as type: Value.Type) throws(ViperError) -> Value?
}

extension Configuration {
    /// Returns the value of a key, or nil if ``value(_:as:)`` throws ``ViperError/Code/parameterMissing``.
    ///
    /// This default implementation does not distinguish an unset key from an undeclared key. It is intended for tests.
    /// The host's configuration distinguishes the two cases.
    public func valueIfPresent<Value: ParameterConvertible>(
        _ key: String, as type: Value.Type
    ) throws(ViperError) -> Value? {
        do { return try value(key, as: type) } catch {
            if error.code == .parameterMissing { return nil }
            throw error
        }
    }
}

extension ServiceKey where Service == any Configuration {
    /// The module's configuration, named `configuration` in manifests. The host provides this service.
    public static var configuration: Self { Self("configuration") }
}
