import ViperKit

/// A request and its response, for decoding the response and reporting errors.
struct Exchange {
    /// The attempted operation, with which an error message begins.
    let what: String
    let request: HTTPRequest
    let response: HTTPResponse

    /// Decodes the body of the response.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` if the body is not JSON of this type.
    func decode<Value: Decodable>(_ type: Value.Type, with json: any JSONCoder) throws(ViperError) -> Value {
        do {
            return try json.decode(type, from: response.body, named: "the response")
        } catch {
            throw failure(cause: "the response is invalid: \(error.cause)")
        }
    }

    /// Returns an error for a response that does not follow the protocol.
    ///
    /// - Parameter cause: The cause, or nil to report the status of the response.
    func failure(cause: String? = nil) -> ViperError {
        // 200 bytes are enough for an error message. The rest of an HTML page does not help.
        let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        return ViperError(
            .storeFailed, what, request.address, cause: cause ?? "the server responded with status \(response.status)",
            notes: beginning.isEmpty ? [] : [.init("response", beginning)])
    }
}
