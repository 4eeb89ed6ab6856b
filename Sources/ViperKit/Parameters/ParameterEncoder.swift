/// An encoder that turns a structure into parameters. Each coding key becomes the name of a parameter.
final class ParameterEncoder: Encoder {
    private enum Level { case structure, parameter, item }

    /// Returns the properties of a structure as parameters, by name.
    ///
    /// - Throws: ``ViperError/Code/parameterInvalid`` if the value is not a structure, or if one of its properties cannot
    ///   be encoded as a parameter.
    static func parameters(of value: some Encodable) throws(ViperError) -> [String: ParameterValue] {
        let encoder = ParameterEncoder(.structure, named: "\(type(of: value))")
        do {
            try value.encode(to: encoder)
            try encoder.checkFailure()
        } catch let error as ViperError { throw error } catch { throw encoder.refusal("throws \(error)") }
        return encoder.parameters
    }

    /// Returns a value as a parameter, or nil if the value is nil.
    static func parameter(of value: some Encodable, named name: String) throws -> ParameterValue? {
        try self.value(of: value, .parameter, named: name)
    }

    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private let level: Level
    /// The name of the parameter or of the structure's type, for use in errors.
    private let name: String
    private var parameters: [String: ParameterValue] = [:]
    private var value: ParameterValue?
    /// The first error that occurred in a method that cannot throw.
    private var failure: ViperError?

    private init(_ level: Level, named name: String) { (self.level, self.name) = (level, name) }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if level != .structure { fail("is a structure") }
        return KeyedEncodingContainer(KeyedParameterEncoder(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        switch level {
        case .structure: fail("is a list")
        case .parameter: value = value ?? .array([])
        case .item: fail("contains an array")
        }
        return ParameterItemEncoder(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        if level == .structure { fail("is a single value") }
        return SingleParameterEncoder(encoder: self)
    }

    fileprivate func store(_ value: some Encodable, at key: any CodingKey) throws {
        parameters[key.stringValue] = try Self.parameter(of: value, named: key.stringValue)
    }

    fileprivate func store(_ value: some Encodable) throws {
        self.value = try Self.value(of: value, level, named: name)
    }

    fileprivate func append(_ value: some Encodable) throws {
        guard let item = try Self.value(of: value, .item, named: name) else {
            throw refusal("contains a missing value")
        }
        var items: [ParameterValue] = []
        if case .array(let earlier) = self.value { items = earlier }
        // Keeps the array uniquely referenced, so that appending an item does not copy the array.
        self.value = nil
        items.append(item)
        self.value = .array(items)
    }

    fileprivate var count: Int {
        if case .array(let items) = value { items.count } else { 0 }
    }

    private static func value(
        of value: some Encodable, _ level: Level, named name: String
    ) throws -> ParameterValue? {
        switch value {
        case let text as String: return .string(text)
        case let flag as Bool: return .boolean(flag)
        case let number as Double: return .number(try finite(number, named: name))
        case let number as Float: return .number(try finite(Double(number), named: name))
        case let whole as any FixedWidthInteger:
            if let number = Int(exactly: whole) { return .integer(number) }
            throw refusal(name, "is \(whole), expected an integer of 64 bits")
        default:
            let encoder = ParameterEncoder(level, named: name)
            try value.encode(to: encoder)
            try encoder.checkFailure()
            return encoder.value
        }
    }

    private static func finite(_ number: Double, named name: String) throws(ViperError) -> Double {
        if number.isFinite { return number }
        throw refusal(name, "is \(number), expected a finite number")
    }

    private func checkFailure() throws(ViperError) { if let failure { throw failure } }

    fileprivate func fail(_ found: String) { failure = failure ?? refusal(found) }

    private func refusal(_ found: String) -> ViperError {
        let expected =
            level == .structure
            ? "a structure with a property for each parameter"
            : "a string, an integer, a number, true or false, or an array of these"
        return Self.refusal(name, "\(found), expected \(expected)")
    }

    private static func refusal(_ name: String, _ cause: String) -> ViperError {
        ViperError(.parameterInvalid, operation: "cannot pass parameter", subject: name, cause: cause)
    }
}

private struct KeyedParameterEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { [] }

    // A missing parameter represents nil.
    func encodeNil(forKey key: Key) {}

    func encode<T: Encodable>(_ value: T, forKey key: Key) throws { try encoder.store(value, at: key) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.fail("has a structure in \"\(key.stringValue)\"")
        return KeyedEncodingContainer(KeyedParameterEncoder<NestedKey>(encoder: encoder))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.fail("has a nested container in \"\(key.stringValue)\"")
        return ParameterItemEncoder(encoder: encoder)
    }

    func superEncoder() -> any Encoder { refusedSuperEncoder() }
    func superEncoder(forKey key: Key) -> any Encoder { refusedSuperEncoder() }

    private func refusedSuperEncoder() -> any Encoder {
        encoder.fail("is a subclass")
        return encoder
    }
}

private struct ParameterItemEncoder: UnkeyedEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { encoder.count }

    func encodeNil() { encoder.fail("contains a missing value") }

    func encode<T: Encodable>(_ value: T) throws { try encoder.append(value) }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.fail("contains a structure")
        return KeyedEncodingContainer(KeyedParameterEncoder<NestedKey>(encoder: encoder))
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        encoder.fail("contains an array")
        return self
    }

    func superEncoder() -> any Encoder {
        encoder.fail("is a subclass")
        return encoder
    }
}

private struct SingleParameterEncoder: SingleValueEncodingContainer {
    let encoder: ParameterEncoder
    var codingPath: [any CodingKey] { [] }

    // A missing parameter represents nil.
    func encodeNil() {}

    func encode<T: Encodable>(_ value: T) throws { try encoder.store(value) }
}
