import FoundationEssentials
package import ViperKit

/// The JSON coder for modules and the host. It decodes only text that the strict scanner accepts, and encodes text that
/// is safe to print.
package struct FoundationJSONCoder: JSONCoder {
    package init() {}

    package func decode<Value: Decodable>(
        _ type: Value.Type, from json: [UInt8], named name: String
    ) throws(ViperError) -> Value {
        let purpose = JSONText.Purpose(code: .jsonInvalid, operation: "cannot read")
        return try JSONText(name: name, data: Data(json), purpose: purpose).decode(type)
    }

    package func encode(_ value: any Encodable) throws(ViperError) -> [UInt8] {
        do { return try encodedJSON(value) } catch {
            throw ViperError(
                .jsonInvalid, operation: "cannot encode as JSON", subject: "\(type(of: value))",
                cause: JSONIssue(encoding: error).cause)
        }
    }
}

extension JSONIssue {
    fileprivate init(encoding error: any Error) {
        guard case EncodingError.invalidValue(_, let context) = error else {
            self.init(error)
            return
        }
        let path = context.codingPath.map(JSONStep.init)
        self.init(
            path: context.codingPath, cause: "\(context.debugDescription) (at \(jsonPath(path)))",
            fix: nil)
    }
}
