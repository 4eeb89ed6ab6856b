/// A JSON decoder and encoder. Modules that use it need not import Foundation.
public protocol JSONCoder: Sendable {
    /// Decodes a value from JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - json: The JSON text in UTF-8.
    ///   - name: The name that identifies the text in errors.
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the text is not valid JSON for this type. The error's subject is
    ///   `name:line:column`.
    func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8], named name: String) throws(ViperError)
        -> Value

    /// Encodes a value as JSON in UTF-8.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` if the value cannot be encoded, for example because it contains a
    ///   number that is not finite.
    func encode(_ value: any Encodable) throws(ViperError) -> [UInt8]
}

extension ServiceKey where Service == any JSONCoder {
    /// The JSON coder, named `json` in manifests. The host provides this service.
    public static var json: Self { Self("json") }
}
