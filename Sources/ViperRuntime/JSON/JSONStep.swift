import FoundationEssentials

/// One step on the way from a JSON document's top to a value in it.
enum JSONStep: Equatable {
    case key(String)
    case index(Int)

    init(_ key: any CodingKey) { self = key.intValue.map(JSONStep.index) ?? .key(key.stringValue) }
}

/// A way as people write it: `$.routes[0].name`.
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

/// A quoted JSON string without its quotes and escapes. The scanner has checked it before.
func unescaped(_ quoted: ArraySlice<UInt8>) -> String {
    if !quoted.contains(UInt8(ascii: "\\")) { return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self) }
    // The decoder refuses nothing that the scanner accepts; if it ever did, the raw text would serve as the name.
    return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? String(decoding: quoted, as: UTF8.self)
}
