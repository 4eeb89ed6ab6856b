import FoundationEssentials
import HostSystem
package import ViperKit

/// The JSON text of a message. Parameters and results are decoded once their types are known.
package struct MessageContent: Sendable {
    private let json: JSONText
    var isWithoutParameters = false

    /// Parses a line.
    ///
    /// - Throws: ``ViperError/Code/messageMalformed`` if the line is not valid JSON.
    init(line: [UInt8]) throws(ViperError) {
        let purpose = JSONText.Purpose(code: .messageMalformed, what: "cannot read")
        json = try JSONText(name: "message", data: Data(line), purpose: purpose)
    }

    private init(_ json: JSONText) { self.json = json }

    /// The messages of a batch, parsed lazily. Nil if the content is not an array.
    var members: (some Sequence<MessageContent>)? {
        json.elements { "message \($0 + 1) of the batch" }.map { $0.lazy.map { MessageContent($0) } }
    }

    /// Decodes the parameters of a call. Missing `params` decode as `{}`.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``, also for an unknown member.
    package func parameters<Value: CallParameters>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.argumentsInvalid).decode(Call<Strict<Value>>.self).parameters.value
    }

    /// Rejects parameters of a method that takes none.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``.
    package func refuseParameters() throws(ViperError) {
        if !isWithoutParameters { _ = try parameters(EmptyPayload.self) }
    }

    /// Decodes the parameters of a notification from the host.
    ///
    /// Unknown members are ignored, because a notification has no response that could report them.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``.
    package func notification<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.argumentsInvalid).decode(Call<Value>.self).parameters
    }

    func result<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.messageInvalid).decode(Answer<Value>.self).result.get()
    }

    func text(_ code: ViperError.Code) -> JSONText { json.with(code) }

    func invalid(_ cause: String, recoverySuggestion: String? = nil) -> ViperError {
        ViperError(.messageInvalid, "cannot read", json.name, cause: cause, recoverySuggestion: recoverySuggestion)
    }

    private struct Call<Value: Decodable>: Decodable {
        var parameters: Value

        enum CodingKeys: String, CodingKey { case parameters = "params" }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            parameters =
                values.contains(.parameters)
                ? try values.decode(Value.self, forKey: .parameters)
                // Decoding the literal makes an error name `params` as its location.
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

/// The parameters of a method. Its coding keys list every allowed member.
package protocol CallParameters: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// The parameters of a method that takes none, or a result without content.
package struct EmptyPayload: CallParameters, Encodable, Sendable, Equatable {
    package enum CodingKeys: CodingKey, CaseIterable {}
    package init() {}
}
