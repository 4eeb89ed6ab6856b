/// The result that a closing scene passes to the scene below.
///
/// The result is passed as JSON. Both scenes must use the same JSON structure. They cannot share a Swift type, because
/// each module has its own types.
public struct SceneResult: Sendable {
    /// The result as JSON in UTF-8.
    public let json: [UInt8]
    private let coder: any JSONCoder

    /// Creates a result. The host creates results, and tests may create their own.
    public init(json: [UInt8], coder: any JSONCoder) { (self.json, self.coder) = (json, coder) }

    /// Decodes the result as a value of the given type.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the JSON does not match the type.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try coder.decode(type, from: json, named: "result")
    }
}

extension SceneResult: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }
}
