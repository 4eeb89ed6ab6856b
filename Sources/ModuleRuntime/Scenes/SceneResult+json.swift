package import HostSystem
package import ViperKit

extension SceneResult {
    /// A value as a result.
    package init(_ value: any Encodable & Sendable) throws(ViperError) {
        let coder = FoundationJSONCoder()
        self.init(json: try coder.encode(value), coder: coder)
    }
}

extension JSONValue {
    /// What a scene returned.
    package init(_ result: SceneResult) throws(ViperError) { self = try result.decode(JSONValue.self) }

    /// The value as what a scene returned.
    package func sceneResult() throws(ViperError) -> SceneResult { try SceneResult(self) }
}
