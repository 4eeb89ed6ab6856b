import FoundationEssentials
import ViperKit

/// Any JSON value. The host uses this type for data that it passes on without interpreting it.
package enum JSONValue: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int)
    /// A whole number above `Int.max`.
    case large(UInt64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
}

extension JSONValue: Codable {
    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let flag = try? value.decode(Bool.self) {
            self = .boolean(flag)
        } else if let whole = try? value.decode(Int.self) {
            self = .integer(whole)
        } else if let whole = try? value.decode(UInt64.self) {
            self = .large(whole)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try value.decode([JSONValue].self))
        } else if let values = try? decoder.container(keyedBy: AnyKey.self) {
            self = .object(
                try Dictionary(
                    uniqueKeysWithValues: values.allKeys.map { key in
                        (key.stringValue, try values.decode(JSONValue.self, forKey: key))
                    }))
        } else {
            throw JSONIssue(
                path: decoder.codingPath, cause: "the number is out of range for a Double",
                fix: "write a smaller number, or a string")
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .boolean(let flag): try value.encode(flag)
        case .integer(let whole): try value.encode(whole)
        case .large(let whole): try value.encode(whole)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let values): try value.encode(values)
        case .object(let values): try value.encode(values)
        }
    }
}
