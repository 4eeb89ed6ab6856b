/// What a scene hands to the one below when it closes. It crosses as JSON: both sides share its shape, not its type, since
/// each module has types of its own.
public struct SceneResult: Sendable {
    /// The JSON, in UTF-8.
    public let json: [UInt8]
    private let coder: any JSONCoder

    /// A result. The host makes it; a test makes its own.
    public init(json: [UInt8], coder: any JSONCoder) { (self.json, self.coder) = (json, coder) }

    /// The result as a value of the receiver's own type.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` when it has another shape.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try coder.decode(type, from: json, named: "result")
    }
}

extension SceneResult: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }
}
