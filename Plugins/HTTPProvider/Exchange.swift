import ViperKit

/// A request and its response. It decodes the response, and creates errors that describe the exchange.
struct Exchange {
    /// The attempted operation. Error messages begin with it.
    let what: String
    let request: HTTPRequest
    let response: HTTPResponse

    /// Decodes the response's body.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the body is not JSON for a value of this type.
    func decode<Value: Decodable>(_ type: Value.Type, with json: any JSONCoder) throws(ViperError) -> Value {
        do {
            return try json.decode(type, from: response.body, named: "the response")
        } catch {
            throw failure(cause: "the response is invalid: \(error.cause)")
        }
    }

    /// Returns an error for a response that does not follow the protocol.
    ///
    /// - Parameter cause: The cause of the error, or nil to report the response's status.
    func failure(cause: String? = nil) -> ViperError {
        // 200 bytes are enough for an error message. The rest of an HTML page does not help.
        let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        return ViperError(
            .storeFailed, operation: what, subject: request.redactedURL,
            cause: cause ?? "the server responded with status \(response.status)",
            notes: beginning.isEmpty ? [] : [.init("response", beginning)])
    }
}
