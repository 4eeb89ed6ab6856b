/// A source of parameters that records the parameters a decoder reads, and returns placeholder values.
final class ParameterRecorder: ParameterSource {
    /// The recorded parameters, in the order in which they were first read.
    private(set) var parameters: [RecordedParameter] = []
    private var optional: Set<String> = []

    var names: [String] { [] }

    // A type that checks whether a parameter exists accepts a missing parameter, so the parameter is optional.
    func contains(_ name: String) -> Bool {
        optional.insert(name)
        return true
    }

    func parameter(_ name: String) -> any ReadableParameter {
        let parameter = RecordedParameter(name: name, isOptional: optional.contains(name))
        if let index = parameters.firstIndex(where: { $0.name == name }) {
            parameters[index] = parameter
        } else {
            parameters.append(parameter)
        }
        return parameter
    }
}

final class RecordedParameter: ReadableParameter {
    let name: String
    private(set) var isOptional: Bool
    private(set) var isArray = false
    /// The parameter's type as declared in manifests. Nil if no value has been read.
    private(set) var type: String?
    /// The allowed values of an enumeration. Empty for other types.
    private(set) var allowed: [ParameterValue] = []
    private var placeholder: ParameterValue?

    init(name: String, isOptional: Bool) { (self.name, self.isOptional) = (name, isOptional) }

    var isMissing: Bool {
        // Array items cannot be nil, so checking an item for nil does not make the parameter optional.
        if !isArray { isOptional = true }
        return false
    }

    func value(like example: ParameterValue, for type: Any.Type) -> ParameterValue {
        (self.type, placeholder) = (example.type, example)
        return example
    }

    func items() throws -> [any ReadableParameter] {
        if isArray { throw ParameterDecoder.unsupported("an array in the array \"\(name)\"") }
        isArray = true
        return [self]
    }

    func choice<Value>(of type: Value.Type) throws -> Value? {
        guard let type = type as? any (CaseIterable & Encodable).Type else { return nil }
        return try firstCase(of: type) as? Value
    }

    private func firstCase<Value: CaseIterable & Encodable>(of enumeration: Value.Type) throws -> Value? {
        allowed = try enumeration.allCases.compactMap { try ParameterEncoder.parameter(of: $0, named: name) }
        type = allowed.first?.type
        return enumeration.allCases.first
    }

    func mismatch(_ type: Any.Type) -> ViperError {
        let found = placeholder.map { "refuses the trial value \($0)" } ?? "reads no value"
        return invalid(
            "its type \(type) \(found)", fix: "conform \(type) to CaseIterable, or use a type that accepts all values")
    }

    func invalid(_ cause: String) -> ViperError { invalid(cause, fix: nil) }

    private func invalid(_ cause: String, fix: String?) -> ViperError {
        ViperError(.parameterInvalid, operation: "cannot record parameter", subject: name, cause: cause, fix: fix)
    }
}
