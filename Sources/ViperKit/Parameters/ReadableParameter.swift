/// A source of parameters for a ``ParameterDecoder``.
protocol ParameterSource {
    var names: [String] { get }
    func contains(_ name: String) -> Bool
    /// Returns the parameter with the given name. If the parameter is missing, reading its value throws an error.
    func parameter(_ name: String) throws -> any ReadableParameter
}

/// A parameter that a ``ParameterDecoder`` reads, or an item of an array parameter.
protocol ReadableParameter {
    var name: String { get }
    var isMissing: Bool { get }
    func value<Value: ParameterConvertible>(as type: Value.Type) throws -> Value
    func items() throws -> [any ReadableParameter]
    /// Returns a case of the enumeration if this parameter records the cases instead of reading a value. Otherwise,
    /// returns nil.
    func choice<Value>(of type: Value.Type) throws -> Value?
    /// Returns the error for a value that cannot be converted to the type.
    func mismatch(_ type: Any.Type) -> ViperError
}

extension ReadableParameter {
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let scalar: Any? =
            switch type {
            case is String.Type: try value(as: String.self)
            case is Bool.Type: try value(as: Bool.self)
            case is Double.Type: try number(Double.self)
            case is Float.Type: try number(Float.self)
            case let integer as any FixedWidthInteger.Type: try self.integer(integer)
            default: nil
            }
        if let scalar = scalar as? Value { return scalar }
        if let choice = try choice(of: type) { return choice }
        do { return try type.init(from: SingleParameterDecoder(parameter: self)) } catch is DecodingError {
            // The type rejects the value. For example, the string is not a raw value of the enumeration.
            throw mismatch(type)
        }
    }

    private func number<Value: BinaryFloatingPoint>(_ type: Value.Type) throws -> Value {
        let number = try value(as: Double.self)
        let value = Value(number)
        if value.isFinite { return value }
        let expected =
            number.isFinite
            ? "\(-Value.greatestFiniteMagnitude) to \(Value.greatestFiniteMagnitude)" : "a finite number"
        throw ViperError.mistyped(name, "is \(number), expected \(expected)")
    }

    private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
        let whole = try value(as: Int.self)
        if let value = Value(exactly: whole) { return value }
        throw ViperError.mistyped(name, "is \(whole), expected \(Value.min) to \(Value.max)")
    }
}

extension ViperError {
    static func mistyped(_ name: String, _ cause: String) -> ViperError {
        ViperError(
            .parameterInvalid, operation: "cannot read parameter", subject: name, cause: cause,
            fix: "declare the same type in the manifest and in the module's code")
    }

    /// Returns the error for a parameter that does not have the expected type.
    ///
    /// - Parameters:
    ///   - name: The parameter's name.
    ///   - value: The parameter's value.
    ///   - type: The type that the module's code expects.
    static func mistyped(_ name: String, _ value: ParameterValue, _ type: Any.Type) -> ViperError {
        let expected =
            switch type {
            case is String.Type: "a string"
            case is Int.Type: "an integer"
            case is Double.Type: "a number"
            case is Bool.Type: "true or false"
            default: "\(type)"
            }
        return mistyped(name, "is \(value), expected \(expected)")
    }

    static func missing(_ name: String, _ cause: String) -> ViperError {
        ViperError(
            .parameterMissing, operation: "cannot read parameter", subject: name, cause: cause,
            fix: "declare it in the manifest's route, with a default or as required")
    }
}
