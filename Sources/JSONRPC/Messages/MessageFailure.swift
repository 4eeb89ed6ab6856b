import ViperKit

/// An error as JSON-RPC has it. The host's own is in it whole, so that the other end shows it as it was.
struct MessageFailure: Codable {
    var code: Int
    var message: String
    var data: ViperError?

    init(_ error: ViperError) { (code, message, data) = (error.messageCode, error.summary, error) }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        code = try values.decode(Int.self, forKey: .code)
        message = try values.decode(String.self, forKey: .message)
        // Another program's server may have put anything there.
        data = try? values.decodeIfPresent(ViperError.self, forKey: .data)
    }

    var error: ViperError {
        data ?? ViperError(.callFailed, "cannot call", "the other end", cause: "\(message) (\(code))")
    }
}

/// What is written: a call, or a notification, which has no id.
struct CallMessage<Parameters: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: CallID?
    var method: String
    var params: Parameters
}

/// What is written: the answer to a call.
struct AnswerMessage<Result: Encodable>: Encodable {
    let jsonrpc = "2.0"
    var id: CallID
    var result: Result
}

/// What is written: the answer to a call that failed.
struct ErrorMessage: Encodable {
    let jsonrpc = "2.0"
    var id: CallID
    var error: MessageFailure
}
