import ViperKit

/// A request and its response, for decoding and errors.
struct Exchange {
    /// The operation, as the beginning of an error.
    let what: String
    let request: HTTPRequest
    let response: HTTPResponse

    /// Decodes the response's body.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the body is not JSON of this type.
    func decode<Value: Decodable>(_ type: Value.Type, with json: any JSONCoder) throws(ViperError) -> Value {
        do {
            return try json.decode(type, from: response.body, named: "the response")
        } catch {
            throw failure(cause: "the response is invalid: \(error.cause)")
        }
    }

    /// Returns an error for a response that the protocol does not define.
    func failure(cause: String? = nil) -> ViperError {
        // An error message fits into 200 bytes; the rest of an HTML page does not help.
        let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        return ViperError(
            .storeFailed, what, request.address, cause: cause ?? "the server responded with status \(response.status)",
            notes: beginning.isEmpty ? [] : [.init("response", beginning)])
    }
}
