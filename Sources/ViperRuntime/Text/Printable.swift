/// The text with every control character replaced: what a module, a manifest or a library says must not steer the
/// terminal.
package func printable(_ text: String) -> String {
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? text : clean(text) { _ in false }
}

/// The same for a text of several lines, whose ends stay.
package func printableLines(_ text: String) -> String { clean(text) { $0 == "\n" } }

private func clean(_ text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
    var clean = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
        let isControl = scalar.properties.generalCategory == .control && !isKept(scalar)
        clean.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(clean)
}
