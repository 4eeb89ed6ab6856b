import HostSystem
import ViperKit

/// A JSON-RPC error object. If a host sends the error, `data` contains the complete ``ViperError``.
struct MessageFailure: Codable {
    var code: Int
    var message: String
    var data: ViperError?

    init(_ error: ViperError) { (code, message, data) = (error.messageCode, error.summary, error) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        code = try values.decode(Int.self, forKey: .code)
        message = try values.decode(String.self, forKey: .message)
        // Servers other than this host may use `data` for other content.
        data = try? values.decodeIfPresent(ViperError.self, forKey: .data)
    }

    var error: ViperError {
        data ?? ViperError(.callFailed, operation: "cannot call", subject: "the peer", cause: "\(message) (\(code))")
    }
}

/// An outgoing call, or a notification if the ID is nil. A notification belongs to no request.
struct CallMessage<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: CallID?
    var method: String
    var params: Parameters
    /// The request that the caller works for. A member that JSON-RPC does not define.
    var request: String?
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
