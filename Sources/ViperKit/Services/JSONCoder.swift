/// A JSON decoder and encoder, so that modules need not import Foundation.
public protocol JSONCoder: Sendable {
    /// Decodes a value from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - json: The JSON text in UTF-8.
    ///   - name: A name for the text in errors.
    /// - Throws: ``ViperError/Code/jsonInvalid`` with `name:line:column` as the subject if the text is not JSON of this
    ///   type.
    func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8], named name: String) throws(ViperError)
        -> Value

    /// Encodes a value as JSON in UTF-8.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the value cannot be encoded, such as a number that is not finite.
    func encode(_ value: any Encodable) throws(ViperError) -> [UInt8]
}

extension ServiceKey where Service == any JSONCoder {
    /// The JSON coder, named `json` in manifests. The host provides this service.
    public static var json: Self { Self("json") }
}
