/// A decoder that creates a structure from parameters. Each coding key reads the parameter with the same name.
struct ParameterDecoder: Decoder {
    /// Decodes a structure from parameters by name.
    ///
    /// - Throws: ``ViperError/Code/parameterMissing`` if a required parameter is missing;
    ///   ``ViperError/Code/parameterInvalid`` if a parameter or the whole structure cannot be decoded.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from parameters: any ParameterSource
    ) throws(ViperError) -> Value {
        try reading(type) { try type.init(from: ParameterDecoder(parameters: parameters)) }
    }

    /// Decodes the parameter with the given name.
    ///
    /// - Throws: The same errors as ``decode(_:from:)``.
    static func decode<Value: Decodable>(
        _ type: Value.Type, from parameters: any ParameterSource, at name: String
    ) throws(ViperError) -> Value {
        try reading(type) { try parameters.parameter(name).decode(type) }
    }

    private static func reading<Value>(_ type: Value.Type, _ decode: () throws -> Value) throws(ViperError) -> Value {
        do { return try decode() } catch let error as ViperError { throw error } catch {
            throw ViperError(
                .parameterInvalid, operation: "cannot read parameters as", subject: "\(type)",
                cause: "it throws \(error)")
        }
    }

    let parameters: any ParameterSource
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(KeyedParameterDecoder(parameters: parameters))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Self.unsupported("a list") }
    func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Self.unsupported("a single value") }

    static func unsupported(_ found: String) -> ViperError {
        ViperError(
            .parameterInvalid, operation: "cannot read", subject: "parameters",
            cause: "the type decodes \(found), expected a structure with a property for each parameter")
    }
}

private struct KeyedParameterDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let parameters: any ParameterSource
    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { parameters.names.compactMap { Key(stringValue: $0) } }

    func contains(_ key: Key) -> Bool { parameters.contains(key.stringValue) }
    func decodeNil(forKey key: Key) throws -> Bool { !contains(key) }

    func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
        try parameters.parameter(key.stringValue).decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw ParameterDecoder.unsupported("a structure in \"\(key.stringValue)\"")
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        ParameterItemDecoder(items: try parameters.parameter(key.stringValue).items())
    }

    func superDecoder() throws -> any Decoder { throw ParameterDecoder.unsupported("a superclass") }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw ParameterDecoder.unsupported("a superclass") }
}

/// A decoder for one parameter, which is a single value or an array of values.
struct SingleParameterDecoder: Decoder, SingleValueDecodingContainer {
    let parameter: any ReadableParameter
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        throw ParameterDecoder.unsupported("a structure in \"\(parameter.name)\"")
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        ParameterItemDecoder(items: try parameter.items())
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func decodeNil() -> Bool { parameter.isMissing }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try parameter.decode(type) }
}

private struct ParameterItemDecoder: UnkeyedDecodingContainer {
    let items: [any ReadableParameter]
    var currentIndex = 0
    var codingPath: [any CodingKey] { [] }
    var count: Int? { items.count }
    var isAtEnd: Bool { currentIndex == items.count }

    init(items: [any ReadableParameter]) { self.items = items }

    func decodeNil() -> Bool { false }

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
        if isAtEnd { throw ParameterDecoder.unsupported("more items than there are") }
        defer { currentIndex += 1 }
        return try items[currentIndex].decode(type)
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        throw ParameterDecoder.unsupported("a structure in an array")
    }

    func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw ParameterDecoder.unsupported("an array in an array")
    }

    func superDecoder() throws -> any Decoder { throw ParameterDecoder.unsupported("a superclass") }
}
