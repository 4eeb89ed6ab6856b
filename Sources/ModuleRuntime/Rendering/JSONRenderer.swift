import HostSystem

/// A value as indented JSON with sorted keys and a newline at the end. Characters that are harmful to print are escaped.
///
/// - Throws: `EncodingError`, for a number that JSON cannot write.
public func renderJSON(_ value: some Encodable) throws -> String {
    String(decoding: try encodedJSON(value, isIndented: true), as: UTF8.self) + "\n"
}

/// A value as one line of JSON with sorted keys and a newline at the end. Characters that are harmful to print are escaped.
///
/// - Throws: `EncodingError`, for a number that JSON cannot write.
public func renderJSONLine(_ value: some Encodable) throws -> String {
    String(decoding: try encodedJSON(value), as: UTF8.self) + "\n"
}
