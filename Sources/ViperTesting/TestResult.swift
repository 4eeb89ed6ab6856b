import ModuleRuntime
public import ViperKit

/// Scene results, encoded as a host encodes them, for tests of code that receives them.
public enum TestResult {
    /// Returns a value as a scene result.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the value cannot be encoded as JSON.
    public static func of(_ value: any Encodable & Sendable) throws(ViperError) -> SceneResult {
        try SceneResult(value)
    }
}
