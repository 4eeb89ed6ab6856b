public import ViperKit

public enum ParameterType: String, Sendable, CaseIterable {
    case string
    /// A 64-bit integer.
    case integer
    /// A finite number.
    case number
    /// `true` or `false`.
    case boolean

    /// Parses a text as a value of this type. Returns nil if the text is invalid.
    public func value(from text: String) -> ParameterValue? {
        switch self {
        case .string: .string(text)
        case .integer: Int(text).map(ParameterValue.integer)
        case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        case .boolean: Bool(text).map(ParameterValue.boolean)
        }
    }

    /// Converts a value to this type. Returns nil if it has another type. An integer is also a number.
    package func value(from value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.string, .string), (.integer, .integer), (.boolean, .boolean): value
        case (.number, .number(let number)): number.isFinite ? value : nil
        case (.number, .integer(let whole)): .number(Double(whole))
        default: nil
        }
    }

    /// The type as a noun phrase.
    package var phrase: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        }
    }
}

/// The rule for omitting a parameter.
public enum Presence: Sendable, Equatable {
    /// The parameter must be passed.
    case required
    /// The parameter may be omitted. The module then receives no value.
    case optional
    /// The parameter may be omitted. The module then receives this value.
    case defaulted(ParameterValue)
}

extension ParameterValue {
    /// The value as on the command line.
    package var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        @unknown default: "\(self)"
        }
    }

    /// The value as in JSON, for errors.
    package var literal: String {
        if case .string(let text) = self { "\"\(text)\"" } else { text }
    }
}
