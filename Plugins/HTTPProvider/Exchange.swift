import ViperKit

/// A request with its response, to say what went wrong between them.
struct Exchange {
    /// What is tried, for an error.
    let what: String
    let request: HTTPRequest
    let response: HTTPResponse

    /// A value in the response.
    ///
    /// - Throws: ``ViperError/Code/storeFailed`` when there is none.
    func decode<Value: Decodable>(_ type: Value.Type, with json: any JSONCoder) throws(ViperError) -> Value {
        do {
            return try json.decode(type, from: response.body, named: "the answer")
        } catch {
            throw failure(cause: "the server answered with something else than was asked for: \(error.cause)")
        }
    }

    /// The error of a response that is none of those that the protocol knows.
    func failure(cause: String? = nil) -> ViperError {
        // Enough for a sentence of the server; a page of HTML is not worth more.
        let beginning = String(decoding: response.body.prefix(200), as: UTF8.self)
        return ViperError(
            .storeFailed, what, request.address, cause: cause ?? "the server answered \(response.status)",
            notes: beginning.isEmpty ? [] : [.init("it said", beginning)])
    }
}
