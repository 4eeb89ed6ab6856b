public import ViperKit

/// The types that a route's parameter can have.
public enum ParameterType: String, Sendable, CaseIterable {
    /// Any text.
    case string
    /// A whole number of 64 bits.
    case integer
    /// A number that is neither infinite nor NaN.
    case number
    /// `true` or `false`.
    case boolean

    /// The value that a text means, or nil when it means none of this type.
    public func value(from text: String) -> ParameterValue? {
        switch self {
        case .string: .string(text)
        case .integer: Int(text).map(ParameterValue.integer)
        case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        case .boolean: Bool(text).map(ParameterValue.boolean)
        }
    }

    /// The value as one of this type, or nil when it is of another. A whole number is a number too.
    package func value(from value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.string, .string), (.integer, .integer), (.boolean, .boolean): value
        case (.number, .number(let number)): number.isFinite ? value : nil
        case (.number, .integer(let whole)): .number(Double(whole))
        default: nil
        }
    }

    /// The type as a person calls it.
    package var phrase: String {
        switch self {
        case .string: "a text"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "true or false"
        }
    }
}

/// Whether a parameter has to be given.
public enum Presence: Sendable, Equatable {
    /// The route cannot be opened without it.
    case required
    /// The route can be opened without it; the module then sees none.
    case optional
    /// Without it the module sees this value.
    case defaulted(ParameterValue)
}

extension ParameterValue {
    /// The value as it is written on the command line.
    package var text: String {
        switch self {
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .boolean(let flag): "\(flag)"
        @unknown default: "\(self)"
        }
    }

    /// The value as it is written in JSON, for errors.
    package var literal: String {
        if case .string(let text) = self { "\"\(text)\"" } else { text }
    }
}
