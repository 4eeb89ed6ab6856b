import HostSystem
package import ViperKit

/// A message's JSON text. Parameters and results are decoded once their types are known.
package struct MessageContent: Sendable {
    private let json: JSONText
    var isWithoutParameters = false

    /// Creates message content by parsing a line.
    ///
    /// - Throws: ``ViperError/Code/messageMalformed`` if the line is not valid JSON.
    init(line: [UInt8]) throws(ViperError) {
        let purpose = JSONText.Purpose(code: .messageMalformed, operation: "cannot read")
        json = try JSONText(message: line, named: "message", purpose: purpose)
    }

    private init(_ json: JSONText) { self.json = json }

    /// The messages in the batch, parsed lazily. Nil if the content is not an array.
    var members: (some Sequence<MessageContent>)? {
        json.elements { "message \($0 + 1) of the batch" }.map { $0.lazy.map { MessageContent($0) } }
    }

    /// Decodes the parameters of a call. If `params` is missing, decodes `{}` instead.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid`` if a parameter is invalid or unknown.
    package func parameters<Value: CallParameters>(_ type: Value.Type) throws(ViperError) -> Value {
        let text = text(.argumentsInvalid)
        if let value = try text.decodeMember("params", Strict<Value>.self) { return value.value }
        return try text.decode(Call<Strict<Value>>.self).parameters.value
    }

    /// Checks that the message has no parameters. Call this for methods that take no parameters.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid`` if the message has parameters.
    package func refuseParameters() throws(ViperError) {
        if !isWithoutParameters { _ = try parameters(EmptyPayload.self) }
    }

    /// Decodes the parameters of a notification from the host.
    ///
    /// Unknown members are ignored, because a notification has no response that could report them.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid`` if a parameter is invalid.
    package func notification<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        let text = text(.argumentsInvalid)
        if let value = try text.decodeMember("params", type) { return value }
        return try text.decode(Call<Value>.self).parameters
    }

    func result<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        let text = text(.messageInvalid)
        if text.member("error") == .missing, let value = try text.decodeMember("result", type) { return value }
        return try text.decode(Answer<Value>.self).result.get()
    }

    func text(_ code: ViperError.Code) -> JSONText { json.with(code) }

    func invalid(_ cause: String, fix: String? = nil) -> ViperError {
        ViperError(.messageInvalid, operation: "cannot read", subject: json.name, cause: cause, fix: fix)
    }

    private struct Call<Value: Decodable>: Decodable {
        var parameters: Value

        enum CodingKeys: String, CodingKey { case parameters = "params" }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            parameters =
                values.contains(.parameters)
                ? try values.decode(Value.self, forKey: .parameters)
                // Errors of this decoder have the path `params`, because the literal contains that key.
                : try JSONText.decode(Self.self, literal: #"{"params":{}}"#).parameters
        }
    }

    private struct Strict<Value: CallParameters>: Decodable {
        var value: Value

        init(from decoder: any Decoder) throws {
            _ = try decoder.strictContainer(keyedBy: Value.CodingKeys.self)
            value = try Value(from: decoder)
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

/// The parameters of a JSON-RPC method. The coding keys include every allowed member.
package protocol CallParameters: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// A result that is computed on the main actor.
package protocol Payload: Encodable, Sendable {
    /// True if encoding the result takes less time than waking another thread, which is about 50 µs.
    var isShort: Bool { get }
}

/// The parameters of a method that takes no parameters, or a result without content.
package struct EmptyPayload: CallParameters, Payload, Equatable {
    package enum CodingKeys: CodingKey, CaseIterable {}
    package init() {}
    package var isShort: Bool { true }
}
