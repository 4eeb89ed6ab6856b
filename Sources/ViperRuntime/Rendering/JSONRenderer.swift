import FoundationEssentials

/// A value as indented JSON with sorted keys and a newline at the end.
///
/// - Throws: `EncodingError`, for a number that JSON cannot write.
public func renderJSON(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}

/// A value as one line of JSON with sorted keys and a newline at the end.
///
/// - Throws: `EncodingError`, for a number that JSON cannot write.
public func renderJSONLine(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
