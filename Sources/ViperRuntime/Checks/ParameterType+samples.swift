import ModuleCatalog
package import ViperKit

extension ParameterType {
    // A stored property, so that the string is computed only once. Every open uses the samples.
    fileprivate static let longText = String(repeating: "x", count: 100_000)

    /// Sample values of this type: first an ordinary value, then edge cases.
    package var samples: [ParameterValue] {
        var samples = allowed
        if samples.isEmpty {
            let limits = [minimum, maximum].compactMap(\.self)
            // A range may exclude every ordinary sample, so the samples include its limits.
            samples = (kind.samples + limits).filter { (try? single.value(from: $0)) != nil }
        }
        return isArray ? [.array(Array(samples.prefix(1))), .array([]), .array(samples)] : samples
    }

    private var single: Self {
        var single = self
        single.isArray = false
        return single
    }

    /// A string that is not a valid value of this type. Nil if any string is valid.
    var bad: String? { kind == .string && allowed.isEmpty ? nil : "no such value" }
}

extension ParameterType.Kind {
    fileprivate var samples: [ParameterValue] {
        switch self {
        case .string:
            [
                .string("sample"), .string(""), .string("\u{0}\n\u{1F469}\u{200D}\u{1F680}"),
                .string(ParameterType.longText),
            ]
        case .integer: [.integer(1), .integer(0), .integer(-1), .integer(.max), .integer(.min)]
        case .number: [.number(1.5), .number(0), .number(-.greatestFiniteMagnitude), .number(.leastNonzeroMagnitude)]
        case .boolean: [.boolean(true), .boolean(false)]
        }
    }
}
