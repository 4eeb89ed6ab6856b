import HostSystem

/// Returns a value as indented JSON with sorted keys and a newline at the end. Escapes characters that are
/// unsafe to print.
///
/// - Throws: `EncodingError` if a number cannot be represented in JSON.
package func renderJSON(_ value: some Encodable) throws -> String {
    String(decoding: try encodedJSON(value, isIndented: true), as: UTF8.self) + "\n"
}

/// Returns a value as one line of JSON with sorted keys and a newline at the end. Escapes characters that are
/// unsafe to print.
///
/// - Throws: `EncodingError` if a number cannot be represented in JSON.
package func renderJSONLine(_ value: some Encodable) throws -> String {
    String(decoding: try encodedJSON(value), as: UTF8.self) + "\n"
}
