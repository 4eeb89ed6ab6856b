/// The list `routes` in the text of a manifest.
enum JSONRoutes {
    /// Returns the text with a route added to the end of its list. The rest of the text keeps its form. Returns nil if
    /// the text has no such list.
    ///
    /// - Parameter route: The route as a JSON text.
    static func adding(_ route: String, toManifest text: String) -> String? {
        let bytes = Array(text.utf8)
        guard let list = list(in: bytes) else { return nil }
        let content = bytes[list]
        let routes = content.drop { isSpace($0) }.reversed().drop { isSpace($0) }.reversed()
        let isOneLine = !content.contains(UInt8(ascii: "\n"))
        let earlier = isOneLine ? "\n    \(string(routes))" : string(content.reversed().drop { isSpace($0) }.reversed())
        return string(bytes[..<list.lowerBound]) + (routes.isEmpty ? "" : "\(earlier),") + "\n    \(route)\n  "
            + string(bytes[list.upperBound...])
    }

    private static func string(_ bytes: some Collection<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    private static func isSpace(_ byte: UInt8) -> Bool { " \n\r\t".utf8.contains(byte) }

    /// Returns the range between the brackets of the list.
    private static func list(in bytes: [UInt8]) -> Range<Int>? {
        var (depth, index, start) = (0, 0, Int?.none)
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = endOfString(in: bytes, from: index)
                let colon = bytes[end...].drop { isSpace($0) }
                let value = colon.dropFirst().drop { isSpace($0) }
                if depth == 1, start == nil, bytes[index..<end].elementsEqual("\"routes\"".utf8),
                    colon.first == UInt8(ascii: ":"), value.first == UInt8(ascii: "[")
                {
                    (start, depth, index) = (value.startIndex + 1, depth + 1, value.startIndex + 1)
                    continue
                }
                index = end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if let start, depth == 1 { return start..<index }
            default: break
            }
            index += 1
        }
        return nil
    }

    /// Returns the index after the string that begins at an index.
    private static func endOfString(in bytes: [UInt8], from start: Int) -> Int {
        var index = start + 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index + 1, bytes.count)
    }
}
