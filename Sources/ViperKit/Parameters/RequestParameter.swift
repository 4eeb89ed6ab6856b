/// The parameters of a route request, as a source for a ``ParameterDecoder``.
struct RequestParameters: ParameterSource {
    let parameters: [String: ParameterValue]

    var names: [String] { Array(parameters.keys) }
    func contains(_ name: String) -> Bool { parameters[name] != nil }

    func parameter(_ name: String) -> any ReadableParameter {
        RequestParameter(name: name, value: parameters[name], isItem: false)
    }
}

private struct RequestParameter: ReadableParameter {
    let name: String
    let value: ParameterValue?
    let isItem: Bool
    var isMissing: Bool { value == nil }

    func value<Value: ParameterConvertible>(as type: Value.Type) throws -> Value {
        let parameter = try present()
        if let value = Value(parameter: parameter) { return value }
        throw ViperError.mistyped(name, parameter, type)
    }

    func items() throws -> [any ReadableParameter] {
        guard case .array(let items) = try present(), !isItem else {
            throw ViperError.mistyped(name, "is \(try present()), expected an array")
        }
        return items.map { RequestParameter(name: name, value: $0, isItem: true) }
    }

    func choice<Value>(of type: Value.Type) -> Value? { nil }

    func mismatch(_ type: Any.Type) -> ViperError {
        value.map { .mistyped(name, $0, type) } ?? .missing(name, Self.absence)
    }

    private static var absence: String { "the route was opened without it" }

    private func present() throws(ViperError) -> ParameterValue {
        if let value { return value }
        throw .missing(name, Self.absence)
    }
}
