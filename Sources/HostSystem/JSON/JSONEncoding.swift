import FoundationEssentials
import ViperKit

/// Encodes a value as JSON with sorted keys. The text is safe to print, because harmful characters are encoded as `\u`
/// escapes, which decode to the same value.
///
/// The host writes all of its JSON with this function, including results, messages, reports and records.
package func encodedJSON(_ value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    // With sorted keys, equal values have equal JSON. This allows comparing the JSON instead of the values.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    return escapingHarmfulScalars(in: try encoder.encode(value))
}

/// Returns the text with harmful characters escaped. The encoder has already escaped control characters below U+0020 in
/// strings, and text outside of strings is ASCII.
private func escapingHarmfulScalars(in json: Data) -> [UInt8] {
    if json.allSatisfy({ $0 < 0x7F }) { return [UInt8](json) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(json.count)
    var harmful = HarmfulScalars()
    for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
        if harmful.contains(scalar), scalar.value >= 0x7F {
            for unit in scalar.utf16 { bytes += escape(unit) }
        } else {
            bytes.append(contentsOf: scalar.utf8)
        }
        // A string starts or ends here, so the next character has no predecessor.
        if scalar == "\"" { harmful = HarmfulScalars() }
    }
    return bytes
}

/// Returns the escape sequence for a UTF-16 code unit, such as `\u202e`.
private func escape(_ unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
}
