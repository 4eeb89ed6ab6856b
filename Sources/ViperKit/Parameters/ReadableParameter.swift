/// A source of parameters for a ``ParameterDecoder``.
protocol ParameterSource {
    var names: [String] { get }
    func contains(_ name: String) -> Bool
    /// Returns the parameter with the given name. If the parameter is missing, reading its value throws an error.
    func parameter(_ name: String) -> any ReadableParameter
}

/// A parameter that a ``ParameterDecoder`` reads, or an item of an array parameter.
protocol ReadableParameter {
    var name: String { get }
    var isMissing: Bool { get }
    /// Returns the parameter's value. Throws an error if the example's type, as declared in manifests, is another.
    ///
    /// - Parameter type: The type of the property, for use in errors.
    func value(like example: ParameterValue, for type: Any.Type) throws -> ParameterValue
    func items() throws -> [any ReadableParameter]
    /// Returns a case of the enumeration if this parameter records the cases instead of reading a value. Otherwise,
    /// returns nil.
    func choice<Value>(of type: Value.Type) throws -> Value?
    /// Returns the error for a value that cannot be converted to the type.
    func mismatch(_ type: Any.Type) -> ViperError
    /// Returns the error for a value that is out of range or has another structure.
    func invalid(_ cause: String) -> ViperError
}

extension ReadableParameter {
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let scalar: Any? =
            switch type {
            case is String.Type: try string(type)
            case is Bool.Type: try boolean(type)
            case is Double.Type: try number(Double.self)
            case is Float.Type: try number(Float.self)
            case let integer as any FixedWidthInteger.Type: try self.integer(integer)
            default: nil
            }
        if let scalar, let value = scalar as? Value { return value }
        if let choice = try choice(of: type) { return choice }
        do { return try type.init(from: SingleParameterDecoder(parameter: self)) } catch is DecodingError {
            // The type rejects the value. For example, the string is not a raw value of the enumeration.
            throw mismatch(type)
        }
    }

    // The recorder returns an example as the value. More types accept the string `1` than an empty string, because `1`
    // is also a valid number and a valid relative path.

    private func string(_ type: Any.Type) throws -> String {
        guard case .string(let text) = try value(like: .string("1"), for: type) else { throw mismatch(type) }
        return text
    }

    private func boolean(_ type: Any.Type) throws -> Bool {
        guard case .boolean(let flag) = try value(like: .boolean(true), for: type) else { throw mismatch(type) }
        return flag
    }

    private func number<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value {
        guard case .number(let number) = try value(like: .number(1), for: type) else { throw mismatch(type) }
        let value = Value(number)
        if value.isFinite { return value }
        let expected =
            number.isFinite
            ? "\(-Value.greatestFiniteMagnitude) to \(Value.greatestFiniteMagnitude)" : "a finite number"
        throw invalid("is \(number), expected \(expected)")
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        guard case .integer(let whole) = try value(like: .integer(1), for: type) else { throw mismatch(type) }
        if let value = Value(exactly: whole) { return value }
        throw invalid("is \(whole), expected \(Value.min) to \(Value.max)")
    }
}
