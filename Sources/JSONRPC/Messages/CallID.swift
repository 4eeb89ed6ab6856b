import HostSystem

/// The ID of a JSON-RPC call. The response to the call has the same ID.
enum CallID: Hashable, Sendable, Codable {
    case number(Int)
    case large(UInt64)
    case fraction(Double)
    case text(String)
    /// The ID of an error response that does not belong to a call, such as the response to an unreadable message.
    case null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let number = try? value.decode(Int.self) {
            self = .number(number)
        } else if let number = try? value.decode(UInt64.self) {
            self = .large(number)
        } else if let number = try? value.decode(Double.self) {
            self = .fraction(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            throw JSONIssue(path: decoder.codingPath, cause: "expected a number or a string", fix: nil)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .number(let number): try value.encode(number)
        case .large(let number): try value.encode(number)
        case .fraction(let number): try value.encode(number)
        case .text(let text): try value.encode(text)
        case .null: try value.encodeNil()
        }
    }
}
