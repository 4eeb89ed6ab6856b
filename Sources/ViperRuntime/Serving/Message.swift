import FoundationEssentials
package import ViperKit

/// A message of JSON-RPC 2.0 (https://www.jsonrpc.org/specification), read as far as is needed to know what it is.
struct Message {
    enum Kind: Equatable {
        case call(CallID, method: String)
        case notification(method: String)
        case answer(CallID)
    }

    /// Why a line is no message, and the call that it may have been.
    struct Refusal: Error {
        var id: CallID
        var error: ViperError
    }

    let kind: Kind
    /// The whole of it, to read the rest from once it is known as what.
    let content: MessageContent

    init(_ line: [UInt8]) throws(Refusal) {
        content = MessageContent(json: line)
        if line.first(where: { !" \r\t".utf8.contains($0) }) == UInt8(ascii: "[") {
            let cause = "batches are not taken"
            throw Refusal(id: .null, error: Self.invalid(cause, mend: "send one message a line, without waiting"))
        }
        let head: MessageHead
        do { head = try content.text(.messageMalformed).decode(MessageHead.self) } catch {
            var error = error
            // Well-formed, and yet no message: an error of the decoder, and not of the syntax, has a path.
            if (try? JSONScanner.scan(line)) != nil { error.code = .messageInvalid }
            throw Refusal(id: .null, error: error)
        }
        guard head.version == "2.0" else {
            throw Refusal(id: head.id ?? .null, error: Self.invalid("\"jsonrpc\" has to be \"2.0\"", mend: nil))
        }
        switch (head.method, head.id) {
        case (let method?, let id?): kind = .call(id, method: method)
        case (let method?, nil): kind = .notification(method: method)
        case (nil, let id?) where head.isAnswer: kind = .answer(id)
        default:
            let cause = "it has neither a \"method\" nor an answer's \"id\" with its \"result\" or \"error\""
            throw Refusal(id: head.id ?? .null, error: Self.invalid(cause, mend: nil))
        }
    }

    private static func invalid(_ cause: String, mend: String?) -> ViperError {
        ViperError(.messageInvalid, "cannot read", "message", cause: cause, mend: mend)
    }
}

/// The parameters of a call, or what it was answered with. It is decoded when it is known as what.
package struct MessageContent: Sendable {
    let json: [UInt8]

    /// A call's parameters. Without any they are those of an empty object.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``.
    package func parameters<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.argumentsInvalid).decode(Call<Value>.self).parameters
    }

    /// What a call was answered with.
    ///
    /// - Throws: The error that it was answered with.
    func result<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.messageInvalid).decode(Answer<Value>.self).result.get()
    }

    func text(_ code: ViperError.Code) -> JSONText {
        JSONText(name: "message", data: Data(json), purpose: .init(code: code, what: "cannot read"))
    }

    private struct Call<Value: Decodable>: Decodable {
        var parameters: Value

        enum CodingKeys: String, CodingKey { case parameters = "params" }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            parameters =
                values.contains(.parameters)
                ? try values.decode(Value.self, forKey: .parameters)
                : try JSONDecoder().decode(Value.self, from: Data("{}".utf8))
        }
    }

    private struct Answer<Value: Decodable>: Decodable {
        var result: Result<Value, ViperError>

        enum CodingKeys: String, CodingKey { case result, error }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            if let failure = try values.decodeIfPresent(MessageFailure.self, forKey: .error) {
                result = .failure(failure.error)
            } else {
                result = .success(try values.decode(Value.self, forKey: .result))
            }
        }
    }
}

/// Nothing: the parameters of a method that takes none, or its result.
package struct Nothing: Codable, Sendable, Equatable {
    package init() {}
}

private struct MessageHead: Decodable {
    var version: String?
    var method: String?
    /// Nil when there is none; `null` is one.
    var id: CallID?
    var isAnswer: Bool

    enum CodingKeys: String, CodingKey {
        case version = "jsonrpc"
        case method, id, result, error
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        version = try values.decodeIfPresent(String.self, forKey: .version)
        method = try values.decodeIfPresent(String.self, forKey: .method)
        id = values.contains(.id) ? try values.decode(CallID.self, forKey: .id) : nil
        isAnswer = values.contains(.result) || values.contains(.error)
    }
}
