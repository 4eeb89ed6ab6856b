import ModuleRuntime
public import ViperKit

/// A namespace for creating scene results in tests. The results have the same encoding as in a host.
public enum TestResult {
    /// Returns a value as a scene result.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the value cannot be encoded as JSON.
    public static func of(_ value: any Encodable & Sendable) throws(ViperError) -> SceneResult {
        try SceneResult(value)
    }
}
