public import ViperKit
import ViperRuntime

/// Results of scenes, as a host makes them, for tests of what hears them.
public enum TestResult {
    /// The value as a result.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` when it cannot be written as JSON.
    public static func of(_ value: any Encodable & Sendable) throws(ViperError) -> SceneResult {
        try SceneResult(value)
    }
}
