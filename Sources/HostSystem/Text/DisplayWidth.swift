import CSystem
import Glibc

/// Returns the number of terminal columns that a string occupies, which is the sum of `wcwidth` over its scalars.
package func displayWidth(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    _ = characterTypes
    // `wcwidth` returns -1 for control characters, which `printable` replaces.
    return text.unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t($1.value)))) }
}

// `wcwidth` supports only ASCII until the process sets a UTF-8 locale for character types. The user's locale does not
// matter, because output is always UTF-8. Swift initializes this constant on first use, when it is needed for a string
// that is not ASCII.
private let characterTypes: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") }()

/// Returns a string padded with spaces to a number of terminal columns.
package func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

/// Returns a text in lines of at most a number of terminal columns. Breaks it at spaces, and a longer word anywhere
/// between two characters. A character that is wider than a line gets a line of its own.
package func brokenLines(of text: String, width: Int) -> [String] {
    var lines = [""]
    var room = width
    for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
        let size = displayWidth(String(word))
        if index > 0, size + 1 <= room {
            lines[lines.count - 1] += " \(word)"
            room -= size + 1
            continue
        }
        if index > 0 {
            lines.append("")
            room = width
        }
        if size <= room {
            lines[lines.count - 1] += word
            room -= size
            continue
        }
        for character in word {
            let size = displayWidth(String(character))
            if size > room, lines.last != "" {
                lines.append("")
                room = width
            }
            lines[lines.count - 1].append(character)
            room -= size
        }
    }
    return lines
}
