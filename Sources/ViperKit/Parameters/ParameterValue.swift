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

/// A type that can be created from a parameter. `String`, `Int`, `Double`, `Bool`, and arrays of conforming types
/// conform to this protocol.
///
/// A module can conform its own types to this protocol. An enumeration whose raw values have a conforming type only
/// needs to declare the conformance:
///
/// ```swift
/// enum Sorting: String, ParameterConvertible { case name, age }
/// ```
public protocol ParameterConvertible: Sendable {
    /// Creates a value from a parameter, or returns nil if the parameter has another type or is out of range.
    init?(parameter: ParameterValue)
}

extension ParameterConvertible where Self: RawRepresentable, RawValue: ParameterConvertible {
    /// Creates the value from its raw value, or returns nil if the parameter is not a valid raw value.
    public init?(parameter: ParameterValue) {
        guard let rawValue = RawValue(parameter: parameter) else { return nil }
        self.init(rawValue: rawValue)
    }
}

extension String: ParameterConvertible {
    public init?(parameter: ParameterValue) {
        guard case .string(let value) = parameter else { return nil }
        self = value
    }
}

extension Int: ParameterConvertible {
    public init?(parameter: ParameterValue) {
        guard case .integer(let value) = parameter else { return nil }
        self = value
    }
}

extension Double: ParameterConvertible {
    public init?(parameter: ParameterValue) {
        guard case .number(let value) = parameter else { return nil }
        self = value
    }
}

extension Bool: ParameterConvertible {
    public init?(parameter: ParameterValue) {
        guard case .boolean(let value) = parameter else { return nil }
        self = value
    }
}

extension Array: ParameterConvertible where Element: ParameterConvertible {
    public init?(parameter: ParameterValue) {
        guard case .array(let values) = parameter else { return nil }
        self = []
        for value in values {
            guard let element = Element(parameter: value) else { return nil }
            append(element)
        }
    }
}
