import FoundationEssentials

/// One step of the path from a JSON document's top level to a value.
package enum JSONStep: Equatable {
    case key(String)
    case index(Int)

    init(_ key: any CodingKey) { self = key.intValue.map(JSONStep.index) ?? .key(key.stringValue) }
}

/// Returns a path in JSONPath notation, such as `$.routes[0].name`.
func jsonPath(_ steps: [JSONStep]) -> String {
    steps.reduce(into: "$") { text, step in
        switch step {
        case .key(let key):
            let isPlain = !key.isEmpty && key.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            text += isPlain ? ".\(key)" : "[\"\(key)\"]"
        case .index(let index): text += "[\(index)]"
        }
    }
}

/// Returns the content of a quoted JSON string with its escapes decoded. The scanner must have accepted the string.
func unescaped(_ quoted: ArraySlice<UInt8>) -> String {
    if !quoted.contains(UInt8(ascii: "\\")) { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
    var (text, rest): ([UInt16], ArraySlice<UInt8>) = ([], quoted.dropFirst().dropLast())
    while let escape = rest.firstIndex(of: UInt8(ascii: "\\")) {
        text += String(decoding: rest[..<escape], as: UTF8.self).utf16
        let (kind, end) = (rest[escape + 1], escape + 2)
        switch kind {
        case UInt8(ascii: "u"):
            text.append(UInt16(String(decoding: rest[end..<(end + 4)], as: UTF8.self), radix: 16) ?? 0xFFFD)
            rest = rest[(end + 4)...]
            continue
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        default: text.append(UInt16(kind))
        }
        rest = rest[end...]
    }
    return String(decoding: text + String(decoding: rest, as: UTF8.self).utf16, as: UTF16.self)
}
