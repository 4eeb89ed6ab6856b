/// What a scene hands to the one below when it closes. It crosses as JSON: both sides share its shape, not its type, since
/// each module has types of its own.
public struct SceneResult: Sendable {
    /// The JSON, in UTF-8.
    public let json: [UInt8]
    private let decoder: any ResultDecoder

    /// A result. The host makes it; a test makes its own.
    public init(json: [UInt8], decoder: any ResultDecoder) { (self.json, self.decoder) = (json, decoder) }

    /// The result as a value of the receiver's own type.
    ///
    /// - Throws: ``ViperError/Code/resultInvalid`` when it has another shape.
    public func decode<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try decoder.decode(type, from: json)
    }
}

/// Reads results. The host has one, so that neither ViperKit nor a module needs a JSON decoder.
public protocol ResultDecoder: Sendable {
    /// A value of this type.
    ///
    /// - Throws: ``ViperError/Code/resultInvalid`` when the JSON has another shape.
    func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws(ViperError) -> Value
}

extension SceneResult: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.json == right.json }
}
