/// The values of the keys that a module's manifest declares in `config`.
///
/// A value comes from `--set MODULE.KEY=VALUE`, else from the root's `host.json`, else from the manifest's default. It was checked
/// against the manifest before the module was made.
public protocol Configuration: Sendable {
    /// The value of a key.
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` when the manifest declares no such key (or an optional one that
    ///   nobody has set), ``ViperError/Code/parameterType`` when it declares another type.
    func value<Value: ParameterConvertible>(_ key: String, as type: Value.Type) throws(ViperError) -> Value

    /// The value of a key, or nil when it is an optional one that nobody has set. Since ViperKit 1.1.
    ///
    /// - Throws: As ``value(_:as:)``, but for that.
    func valueIfPresent<Value: ParameterConvertible>(_ key: String, as type: Value.Type) throws(ViperError) -> Value?
}

extension Configuration {
    /// What configurations do that know only ViperKit 1.0: they cannot tell a key that is not set from one that there is not.
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
    /// The module's configuration, `configuration` in manifests. The host provides it.
    public static var configuration: Self { Self("configuration") }
}
