/// Parameters with values, as a source for a ``ParameterDecoder``.
struct GivenParameters: ParameterSource {
    let values: [String: ParameterValue]
    /// The kind of the parameters, for use in errors.
    var kind = ParameterKind.route
    /// The names of the parameters that have no value. If nil, each parameter may be missing. Otherwise, reading a
    /// parameter that is in neither collection throws an error, even if the property is optional.
    var unset: Set<String>?

    var names: [String] { Array(values.keys) }

    func contains(_ name: String) -> Bool { values[name] != nil || unset?.contains(name) == false }

    func parameter(_ name: String) -> any ReadableParameter {
        GivenParameter(
            name: name, value: values[name], kind: kind, isMissing: !contains(name), isItem: false)
    }
}

/// A kind of parameter, with the texts of its errors.
enum ParameterKind {
    case route
    case configuration(module: String)

    func invalid(_ name: String, _ cause: String) -> ViperError {
        let fix = "declare the same type in the manifest and in the module's code"
        return switch self {
        case .route:
            ViperError(.parameterInvalid, operation: "cannot read parameter", subject: name, cause: cause, fix: fix)
        case .configuration(let module):
            ViperError(
                .parameterInvalid, operation: "cannot read configuration", subject: "\(module).\(name)", cause: cause,
                fix: fix)
        }
    }

    func missing(_ name: String) -> ViperError {
        switch self {
        case .route:
            ViperError(
                .parameterMissing, operation: "cannot read parameter", subject: name,
                cause: "the route was opened without it",
                fix: "declare it in the manifest's route, with a default or as required")
        case .configuration(let module):
            ViperError(
                .parameterMissing, operation: "cannot read configuration", subject: "\(module).\(name)",
                cause: "it is unset",
                fix: "declare it in the manifest's \"config\" with a default, or give --set \(module).\(name)=VALUE")
        }
    }
}

private struct GivenParameter: ReadableParameter {
    let name: String
    let value: ParameterValue?
    let kind: ParameterKind
    let isMissing: Bool
    let isItem: Bool

    func value(like example: ParameterValue, for type: Any.Type) throws -> ParameterValue {
        let value = try present()
        if value.type == example.type { return value }
        throw mismatch(type)
    }

    func items() throws -> [any ReadableParameter] {
        guard case .array(let items) = try present(), !isItem else {
            throw invalid("is \(try present()), expected an array")
        }
        return items.map { GivenParameter(name: name, value: $0, kind: kind, isMissing: false, isItem: true) }
    }

    func choice<Value>(of type: Value.Type) -> Value? { nil }

    func mismatch(_ type: Any.Type) -> ViperError {
        guard let value else { return kind.missing(name) }
        let expected =
            switch type {
            case is String.Type: "a string"
            case is Bool.Type: "true or false"
            case is any BinaryFloatingPoint.Type: "a number"
            case is any FixedWidthInteger.Type: "an integer"
            default: "\(type)"
            }
        return invalid("is \(value), expected \(expected)")
    }

    func invalid(_ cause: String) -> ViperError { kind.invalid(name, cause) }

    private func present() throws(ViperError) -> ParameterValue {
        if let value { return value }
        throw kind.missing(name)
    }
}
