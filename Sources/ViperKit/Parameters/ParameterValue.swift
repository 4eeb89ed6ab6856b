/// The value of a route parameter or configuration key. The manifest declares the type of the value.
public enum ParameterValue: Sendable, Hashable {
    /// Text, declared as `"string"` in manifests.
    case string(String)
    /// A whole number, declared as `"integer"` in manifests.
    case integer(Int)
    /// A finite number, declared as `"number"` in manifests.
    case number(Double)
    /// A Boolean value, declared as `"boolean"` in manifests.
    case boolean(Bool)
    /// An array of values of the same type, declared as `"array"` in manifests. The values cannot be arrays themselves.
    case array([ParameterValue])
}

extension ParameterValue: CustomStringConvertible {
    /// The value as a literal, such as `36`, `"Ada"` or `[1, 2]`.
    public var description: String {
        switch self {
        case .string(let text): "\"\(text)\""
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        case .array(let values): "[\(values.map(\.description).joined(separator: ", "))]"
        }
    }
}

extension ParameterValue: Codable {
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let flag = try? value.decode(Bool.self) {
            self = .boolean(flag)
        } else if let number = try? value.decode(Int.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else {
            self = .array(try value.decode([ParameterValue].self))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .string(let text): try value.encode(text)
        case .integer(let number): try value.encode(number)
        case .number(let number): try value.encode(number)
        case .boolean(let flag): try value.encode(flag)
        case .array(let items): try value.encode(items)
        }
    }
}

extension ParameterValue {
    /// The value's type as declared in manifests.
    var type: String {
        switch self {
        case .string: "string"
        case .integer: "integer"
        case .number: "number"
        case .boolean: "boolean"
        case .array: "array"
        }
    }
}
