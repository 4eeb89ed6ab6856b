import HostSystem
import ViperKit

package struct TextStyle: Sendable {
    /// True if text is styled with ANSI colours and weights. Set this only for output to a terminal.
    package var isColoured: Bool

    package init(isColoured: Bool) { self.isColoured = isColoured }

    private static let (bold, dim, end) = ("\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m")
    private static let (red, green, yellow) = ("\u{1B}[31m", "\u{1B}[32m", "\u{1B}[33m")
    private static let all = [bold, dim, red, green, yellow, end]

    package func bold(_ text: String) -> String { isColoured ? Self.bold + text + Self.end : text }
    package func dim(_ text: String) -> String { isColoured ? Self.dim + text + Self.end : text }
    package func red(_ text: String) -> String { isColoured ? Self.red + text + Self.end : text }
    package func green(_ text: String) -> String { isColoured ? Self.green + text + Self.end : text }

    /// Returns a text in the colour of its meaning.
    func toned(_ text: String, _ tone: Screen.Tone?) -> String {
        switch tone {
        case .success: green(text)
        case .warning: isColoured ? Self.yellow + text + Self.end : text
        case .danger: red(text)
        case .muted: dim(text)
        default: text
        }
    }

    /// Replaces characters that are unsafe to print with U+FFFD. Keeps line breaks and the escape sequences
    /// of this style.
    package func printable(_ text: String) -> String {
        if !isColoured { return printableLines(text) }
        var (clean, rest) = ("", text[...])
        while let escape = rest.utf8.firstIndex(of: 0x1B) {
            clean += printableLines(String(rest[..<escape]))
            rest = rest[escape...]
            let sequence = Self.all.first { rest.utf8.starts(with: $0.utf8) }
            clean += sequence ?? "\u{FFFD}"
            rest = Substring(rest.utf8.dropFirst(sequence?.utf8.count ?? 1))
        }
        return clean + printableLines(String(rest))
    }
}
