import ViperKit

/// A JSON-RPC error object. For an error of this host, `data` is the complete ``ViperError``.
struct MessageFailure: Codable {
    var code: Int
    var message: String
    var data: ViperError?

    init(_ error: ViperError) { (code, message, data) = (error.messageCode, error.summary, error) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        code = try values.decode(Int.self, forKey: .code)
        message = try values.decode(String.self, forKey: .message)
        // A server other than this host may put anything into `data`.
        data = try? values.decodeIfPresent(ViperError.self, forKey: .data)
    }

    var error: ViperError {
        data ?? ViperError(.callFailed, "cannot call", "the peer", cause: "\(message) (\(code))")
    }
}

/// An outgoing call, or a notification if the id is nil.
struct CallMessage<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: CallID?
    var method: String
    var params: Parameters
}

struct AnswerMessage<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: CallID
    var result: Result
}

struct ErrorMessage: Encodable {
    let jsonrpc = "2.0"
    var id: CallID
    var error: MessageFailure
}
