import FoundationEssentials
package import ViperKit

extension SceneResult {
    /// A value as a result.
    ///
    /// - Throws: ``ViperError/Code/resultInvalid`` when it cannot be written as JSON.
    package init(encoding value: any Encodable & Sendable) throws(ViperError) {
        do {
            self.init(json: [UInt8](try JSONEncoder().encode(value)), decoder: JSONResultDecoder())
        } catch {
            throw ViperError(
                .resultInvalid, "cannot return", "\(type(of: value))", cause: "it cannot be written as JSON: \(error)")
        }
    }
}

/// Reads results with `JSONDecoder`.
private struct JSONResultDecoder: ResultDecoder {
    func decode<Value: Decodable>(_ type: Value.Type, from json: [UInt8]) throws(ViperError) -> Value {
        let purpose = JSONText.Purpose(code: .resultInvalid, what: "cannot read")
        return try JSONText(name: "result", data: Data(json), purpose: purpose).decode(type)
    }
}
