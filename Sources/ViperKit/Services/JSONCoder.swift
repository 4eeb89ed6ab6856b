/// Reads and writes JSON, so that a module needs no Foundation for it.
public protocol JSONCoder: Sendable {
    /// A value of this type.
    ///
    /// - Parameters:
    ///   - type: What the text is to be read as.
    ///   - json: The text, in UTF-8.
    ///   - name: What errors call the text by.
    /// - Throws: ``ViperError/Code/jsonInvalid`` with `name:line:column` when it is no JSON or not of this type.
    func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8], named name: String) throws(ViperError)
        -> Value

    /// A value as JSON in UTF-8.
    ///
    /// - Throws: ``ViperError/Code/jsonInvalid`` when it cannot be written, such as a number that is not finite.
    func encode(_ value: any Encodable) throws(ViperError) -> [UInt8]
}

extension ServiceKey where Service == any JSONCoder {
    /// The host's JSON coder, `json` in manifests. The host provides it.
    public static var json: Self { Self("json") }
}
