import FoundationEssentials
import HostSystem
package import ViperKit

/// The text of a message: its parameters, or its result, are decoded when it is known as what.
package struct MessageContent: Sendable {
    private let json: JSONText
    /// True if it was found to have no `params`, or `{}`.
    var isWithoutParameters = false

    /// The content of a line.
    ///
    /// - Throws: ``ViperError/Code/messageMalformed`` if the line is no JSON.
    init(line: [UInt8]) throws(ViperError) {
        let purpose = JSONText.Purpose(code: .messageMalformed, what: "cannot read")
        json = try JSONText(name: "message", data: Data(line), purpose: purpose)
    }

    private init(_ json: JSONText) { self.json = json }

    /// The messages of a batch, each read when it is reached. Nil if the content is no array.
    var members: (some Sequence<MessageContent>)? {
        json.elements { "message \($0 + 1) of the batch" }.map { $0.lazy.map { MessageContent($0) } }
    }

    /// The parameters of a call. Missing `params` decode as `{}`; a member that the method does not have is refused.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``.
    package func parameters<Value: CallParameters>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.argumentsInvalid).decode(Call<Strict<Value>>.self).parameters.value
    }

    /// Refuses parameters, for a method that takes none.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``.
    package func refuseParameters() throws(ViperError) {
        if !isWithoutParameters { _ = try parameters(Nothing.self) }
    }

    /// The parameters of a notification from the host. Members that this client does not know are ignored: nobody would learn
    /// that the notification was refused.
    ///
    /// - Throws: ``ViperError/Code/argumentsInvalid``.
    package func notification<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.argumentsInvalid).decode(Call<Value>.self).parameters
    }

    /// The result of a call.
    ///
    /// - Throws: The error that it was answered with.
    func result<Value: Decodable>(_ type: Value.Type) throws(ViperError) -> Value {
        try text(.messageInvalid).decode(Answer<Value>.self).result.get()
    }

    func text(_ code: ViperError.Code) -> JSONText { json.with(code) }

    /// The error of a JSON text that is no message.
    func invalid(_ cause: String, mend: String? = nil) -> ViperError {
        ViperError(.messageInvalid, "cannot read", json.name, cause: cause, mend: mend)
    }

    private struct Call<Value: Decodable>: Decodable {
        var parameters: Value

        enum CodingKeys: String, CodingKey { case parameters = "params" }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            parameters =
                values.contains(.parameters)
                ? try values.decode(Value.self, forKey: .parameters)
                // An error then says where they are missing.
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

/// The parameters of a method, with the names of all that may stand in them.
package protocol CallParameters: Decodable {
    associatedtype CodingKeys: CodingKey & CaseIterable
}

/// Nothing: the parameters of a method that takes none, or its result.
package struct Nothing: CallParameters, Encodable, Sendable, Equatable {
    package enum CodingKeys: CodingKey, CaseIterable {}
    package init() {}
}
