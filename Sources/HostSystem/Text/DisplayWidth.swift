import CSystem
import Glibc

/// How many columns a terminal needs for a text: the sum of its scalars' `wcwidth`, as terminals count.
package func displayWidth(_ text: String) -> Int {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text.utf8.count }
    _ = characterTypes
    // -1 stands for a control character; `printable` leaves none.
    return text.unicodeScalars.reduce(0) { $0 + max(0, Int(wcwidth(wchar_t($1.value)))) }
}

// wcwidth knows no character beyond ASCII until the process has a UTF-8 locale for character types. Output is UTF-8
// whatever the user's locale, so it is not asked. Runs once, at the first wide text.
private let characterTypes: Void = { _ = setlocale(LC_CTYPE, "C.UTF-8") }()

/// The text followed by as many spaces as its column needs.
package func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - displayWidth(text)))
}
