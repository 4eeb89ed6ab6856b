package import HostSystem
package import ViperKit

extension SceneResult {
    /// Creates a result by encoding a value as JSON.
    package init(_ value: any Encodable & Sendable) throws(ViperError) {
        let coder = FoundationJSONCoder()
        self.init(json: try coder.encode(value), coder: coder)
    }
}

extension JSONValue {
    package init(_ result: SceneResult) throws(ViperError) { self = try result.decode(JSONValue.self) }

    package func sceneResult() throws(ViperError) -> SceneResult { try SceneResult(self) }
}
