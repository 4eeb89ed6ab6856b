private import func CNcurses.cncurses_use_utf8
private import func CNcurses.cncurses_width
import ViperKit

/// Text as a terminal shows it, in columns.
enum CellText {
    // ncurses places characters by the same widths. Swift sets the locale once, when a text is not ASCII.
    private static let isReady: Void = cncurses_use_utf8()

    /// Returns the number of columns of a text without harmful characters.
    static func width(_ text: some StringProtocol) -> Int {
        if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
        return text.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    static func width(_ character: Character) -> Int {
        character.isASCII ? 1 : character.unicodeScalars.reduce(0) { $0 + width($1) }
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        if scalar.isASCII { return 1 }
        _ = isReady
        return max(0, Int(cncurses_width(scalar.value)))
    }

    /// The number of code points after which a line is cut off. No terminal shows more.
    private static let longestLine = 2_000

    /// Returns the beginning of a text as one line, in which harmful characters are replaced.
    static func clean(_ text: some StringProtocol) -> String {
        cleanAll(beginning(of: text, longestLine))
    }

    private static func beginning(of text: some StringProtocol, _ count: Int) -> String {
        if text.utf8.count <= count { return String(text) }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
    }

    private static func cleanAll(_ text: String) -> String {
        text.replacingHarmfulScalars(keepingLines: false)
    }

    /// Returns as much of a clean text as fits. If it is cut off, its last column is an ellipsis.
    static func clipped(_ text: String, to columns: Int) -> String {
        if columns <= 0 { return "" }
        // A character has at least one byte for each column.
        if text.utf8.count <= columns || width(text) <= columns { return text }
        var (clipped, used) = ("", 0)
        for character in text {
            let width = width(character)
            if used + width > columns - 1 { break }
            clipped.append(character)
            used += width
        }
        return clipped + "…"
    }

    /// Returns a clean text with exactly this number of columns.
    static func fitted(_ text: String, to columns: Int, isTrailing: Bool = false) -> String {
        let clipped = clipped(text, to: columns)
        let blank = String(repeating: " ", count: max(0, columns - width(clipped)))
        return isTrailing ? blank + clipped : clipped + blank
    }

    /// Returns the lines of a text, with long lines broken at spaces if possible. Replaces harmful characters.
    ///
    /// - Parameter limit: The maximum number of lines. If there are more, the last one is an ellipsis.
    static func wrapped(_ text: String, to columns: Int, limit: Int = .max) -> [String] {
        var lines: [String] = []
        for paragraph in text.split(separator: "\n", maxSplits: limit, omittingEmptySubsequences: false) {
            // As many characters as the lines can have, and some without a width.
            let isLimited = limit < 1_000 && paragraph.utf8.count > longestLine
            var rest = cleanAll(isLimited ? beginning(of: paragraph, limit * columns * 2) : String(paragraph))[...]
            repeat {
                if lines.count == limit {
                    lines[limit - 1] = "…"
                    return lines
                }
                let end = end(ofLine: rest, columns)
                var line = rest[..<end]
                rest = rest[end...]
                if !rest.isEmpty {
                    rest = rest.drop { $0 == " " }
                    while line.last == " " { line.removeLast() }
                }
                lines.append(String(line))
            } while !rest.isEmpty
        }
        return lines
    }

    private static func end(ofLine text: Substring, _ columns: Int) -> Substring.Index {
        if text.utf8.count <= columns { return text.endIndex }
        var (used, index) = (0, text.startIndex)
        var space: Substring.Index?
        while index < text.endIndex {
            used += width(text[index])
            // A character that is wider than the line must not stop the loop.
            if used > columns, index > text.startIndex { return text[index] == " " ? index : space ?? index }
            if text[index] == " " { space = text.index(after: index) }
            index = text.index(after: index)
        }
        return index
    }
}
