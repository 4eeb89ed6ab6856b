import FoundationEssentials

/// A value as JSON with sorted keys, harmless to print: each harmful character stands as `\u` escapes, so a reader gets the same value.
///
/// All JSON that the host writes comes from here: results, messages, reports and records.
package func encodedJSON(_ value: some Encodable, isIndented: Bool = false) throws -> [UInt8] {
    let encoder = JSONEncoder()
    // The same value is always the same text, so that texts can be compared.
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isIndented { encoder.outputFormatting.insert(.prettyPrinted) }
    return escapingHarmfulScalars(in: try encoder.encode(value))
}

/// Escapes harmful characters. The encoder has escaped the controls below U+0020 in strings; outside of strings all is ASCII.
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
        // A string begins or ends here: its first character has none before it.
        if scalar == "\"" { harmful = HarmfulScalars() }
    }
    return bytes
}

/// `\u202e` for a UTF-16 code unit.
private func escape(_ unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8)
}
