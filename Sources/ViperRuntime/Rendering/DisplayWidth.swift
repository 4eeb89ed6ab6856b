import CSystem
import Glibc

/// How many columns a terminal needs for a text: the sum of its scalars' `wcwidth`, as terminals count.
func displayWidth(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    _ = characterTypes
    // -1 stands for a control character; `printable` leaves none.
    return text.unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t($1.value)))) }
}

// wcwidth knows no character beyond ASCII until the process has a UTF-8 locale for character types. Output is UTF-8
// whatever the user's locale, so it is not asked. Runs once, at the first wide text.
private let characterTypes: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") }()

/// The text followed by as many spaces as its column needs.
func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}

/// The text with every control character replaced: what a module shows must not steer the terminal.
func printable(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return text }
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        clean.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
    }
    return String(clean)
}

/// A text of several lines, each of them printable: an error quotes what manifests, file names and modules say.
package func printableLines(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { printable(String($0)) }.joined(separator: "\n")
}
