/// Returns the byte ranges of the elements of a JSON array, or of the members of an object. The text must be valid JSON.
package func jsonElementRanges(_ bytes: [UInt8]) -> [Range<Int>] {
    var (ranges, depth, start): ([Range<Int>], Int, Int?) = ([], 0, nil)
    var (index, end) = (0, 0)
    while index < bytes.count {
        let byte = bytes[index]
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
            index += 1
            continue
        case UInt8(ascii: ",") where depth == 1, UInt8(ascii: "]") where depth == 1, UInt8(ascii: "}") where depth == 1:
            if let start { ranges.append(start..<end) }
            start = nil
            index += 1
            continue
        case UInt8(ascii: "\""):
            if depth == 1, start == nil { start = index }
            index += 1
            // A backslash escapes the next byte, which may be a quote.
            while bytes[index] != UInt8(ascii: "\"") { index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1 }
        default:
            if depth == 1, start == nil { start = index }
            if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { depth += 1 }
            if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { depth -= 1 }
        }
        index += 1
        end = index
    }
    return ranges
}
