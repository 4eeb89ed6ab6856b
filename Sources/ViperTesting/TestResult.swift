import ModuleRuntime
public import ViperKit

/// A namespace for creating scene results in tests. The results have the same encoding as in a host.
public enum TestResult {
    /// Returns a scene result that contains the encoded value.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the value cannot be encoded as JSON.
    public static func of(_ value: any Encodable & Sendable) throws(ViperError) -> SceneResult {
        try SceneResult(value)
    }
}
