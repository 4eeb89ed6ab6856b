package import ViperKit

/// The type of a parameter and the limits on its values.
package struct ParameterType: Sendable, Equatable {
    /// The kind of a single value.
    package enum Kind: String, Sendable, CaseIterable {
        case string
        /// The value is a 64-bit integer.
        case integer
        /// The value is a finite number.
        case number
        /// The value is `true` or `false`.
        case boolean
    }

    /// The kind of the value. For an array, this is the kind of each item.
    package var kind: Kind
    /// True if the value is an array.
    package var isArray = false
    /// The allowed values. Empty if all values of the kind are allowed.
    package var allowed: [ParameterValue] = []
    /// The smallest allowed value for an integer or a number. Nil if there is no lower limit.
    package var minimum: ParameterValue?
    /// The largest allowed value for an integer or a number. Nil if there is no upper limit.
    package var maximum: ParameterValue?

    package init(_ kind: Kind) { self.kind = kind }

    package static var string: Self { Self(.string) }
    package static var integer: Self { Self(.integer) }
    package static var number: Self { Self(.number) }
    package static var boolean: Self { Self(.boolean) }

    /// The array type whose items have this type.
    package var array: Self {
        var array = self
        array.isArray = true
        return array
    }

    /// The error for a value that does not match a type.
    package struct Mismatch: Error, Equatable {
        /// A predicate that contains the value and the expectation, such as `is "abc", expected an integer`.
        package var predicate: String
    }

    /// Parses strings as a value of this type. An array accepts any number of strings. Other types accept exactly one
    /// string.
    ///
    /// - Throws: ``Mismatch`` if a string is invalid or the number of strings is wrong.
    package func value(from texts: [String]) throws(Mismatch) -> ParameterValue {
        if isArray {
            var items: [ParameterValue] = []
            for text in texts { items.append(try value(from: text, "contains")) }
            return .array(items)
        }
        if let text = texts.first, texts.count == 1 { return try value(from: text, "is") }
        throw Mismatch(predicate: "is given \(texts.count) times, expected \(expectation)")
    }

    private func value(from text: String, _ verb: String) throws(Mismatch) -> ParameterValue {
        if let value = kind.value(from: text), allows(value) { return value }
        if kind == .integer, allowed.isEmpty, minimum == nil || maximum == nil, Int(text) == nil, Self.isInteger(text) {
            throw Mismatch(predicate: "\(verb) \(ParameterValue.string(text)), expected an integer of 64 bits")
        }
        throw mismatch(verb, .string(text))
    }

    private static func isInteger(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// Converts a value to this type. An integer can be converted to a number.
    ///
    /// - Throws: ``Mismatch`` if the value does not match the type.
    package func value(from value: ParameterValue) throws(Mismatch) -> ParameterValue {
        guard isArray else { return try scalar(value, "is") }
        guard case .array(let values) = value else {
            throw Mismatch(predicate: "is \(value), expected an array of \(kind.rawValue)s")
        }
        var items: [ParameterValue] = []
        for value in values { items.append(try scalar(value, "contains")) }
        return .array(items)
    }

    private func scalar(_ value: ParameterValue, _ verb: String) throws(Mismatch) -> ParameterValue {
        if let value = kind.value(from: value), allows(value) { return value }
        throw mismatch(verb, value)
    }

    private func allows(_ value: ParameterValue) -> Bool {
        if !allowed.isEmpty { return allowed.contains(value) }
        return minimum.map { !($0 > value) } ?? true && maximum.map { !(value > $0) } ?? true
    }

    private func mismatch(_ verb: String, _ value: ParameterValue) -> Mismatch {
        Mismatch(predicate: "\(verb) \(value), expected \(expectation)")
    }

    /// A noun phrase that describes the valid values. For an array, it describes the valid items.
    package var expectation: String {
        if let only = allowed.first, allowed.count == 1 { return "\(only)" }
        if !allowed.isEmpty { return "one of \(allowed.map(\.description).joined(separator: ", "))" }
        return switch (minimum, maximum) {
        case (let minimum?, let maximum?): "\(kind.phrase) from \(minimum) to \(maximum)"
        case (let minimum?, nil): "\(kind.phrase) of at least \(minimum)"
        case (nil, let maximum?): "\(kind.phrase) of at most \(maximum)"
        case (nil, nil): kind.phrase
        }
    }

    /// The placeholder for a value of this type in help output, such as `INTEGER`, `INTEGER(0..10)` or `red|green…`.
    package var placeholder: String {
        let range = minimum == nil && maximum == nil ? "" : "(\(minimum?.text ?? "")..\(maximum?.text ?? ""))"
        let value =
            allowed.isEmpty
            ? kind.rawValue.uppercased() + range : allowed.map(\.word).joined(separator: "|")
        return value + (isArray ? "…" : "")
    }
}

extension ParameterType.Kind {
    /// Parses a string as a value of this kind. Returns nil if the string is invalid.
    func value(from text: String) -> ParameterValue? {
        switch self {
        case .string: .string(text)
        case .integer: Int(text).map(ParameterValue.integer)
        case .number: Double(text).flatMap { $0.isFinite ? .number($0) : nil }
        case .boolean: Bool(text).map(ParameterValue.boolean)
        }
    }

    /// Converts a value to this kind. Returns nil if the value has another type.
    func value(from value: ParameterValue) -> ParameterValue? {
        switch (self, value) {
        case (.string, .string), (.integer, .integer), (.boolean, .boolean): value
        case (.number, .number(let number)): number.isFinite ? value : nil
        case (.number, .integer(let whole)): .number(Double(whole))
        default: nil
        }
    }

    /// A noun phrase for the kind, for use in errors.
    fileprivate var phrase: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        }
    }
}

extension ParameterValue {
    /// The value as text, in quotation marks if the text is not a single word.
    fileprivate var word: String { text.isEmpty || text.contains(" ") ? description : text }

    /// Returns true if both values are integers or both are numbers, and the left value is greater than the right
    /// value.
    static func > (left: Self, right: Self) -> Bool {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): left > right
        case (.number(let left), .number(let right)): left > right
        default: false
        }
    }
}
