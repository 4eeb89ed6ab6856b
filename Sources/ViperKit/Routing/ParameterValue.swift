/// The value of a route's parameter. The manifest declares which type it has.
public enum ParameterValue: Sendable, Hashable {
    /// Text, in the manifest `"string"`.
    case string(String)
    /// A whole number, in the manifest `"integer"`.
    case integer(Int)
    /// A number, in the manifest `"number"`. Never infinite, never NaN.
    case number(Double)
    /// True or false, in the manifest `"boolean"`.
    case boolean(Bool)
}

/// A Swift type that a route's parameter can be read as: `String`, `Int`, `Double` and `Bool`.
///
/// A module may conform a type of its own, an enumeration for instance, by going through one of these.
public protocol ParameterConvertible: Sendable {
    /// The value, or nil when the parameter has another type or is out of range.
    init?(parameter: ParameterValue)
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
