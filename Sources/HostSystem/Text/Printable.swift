/// The text as one line that is harmless to print: U+FFFD stands in place of each line break and of each harmful character.
///
/// A module, a manifest, a library or a file name must neither steer the terminal nor pass for another text.
package func printable(_ text: String) -> String {
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? text : replaced(in: text) { _ in false }
}

/// The text as lines that are harmless to print. Line feeds stay.
package func printableLines(_ text: String) -> String {
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x0A } ? text : replaced(in: text) { $0 == "\n" }
}

private func replaced(in text: String, except isKept: (Unicode.Scalar) -> Bool) -> String {
    var clean = String.UnicodeScalarView()
    var filter = HarmfulScalars()
    for scalar in text.unicodeScalars {
        clean.append(filter.contains(scalar) && !isKept(scalar) ? "\u{FFFD}" : scalar)
    }
    return String(clean)
}

/// The characters that must not reach a terminal, a log or a reader of JSON as they are. Takes a text scalar by scalar.
///
/// Harmful are controls, line and paragraph separators, noncharacters, and all that is invisible: format characters, which include
/// the bidirectional controls and the tags, and the default ignorables. Two kinds of invisible characters are part of names and
/// emoji: joiners (U+200C, U+200D) and variation selectors. These pass directly after a visible character, and a joiner also
/// after a variation selector.
struct HarmfulScalars {
    private enum Previous { case none, visible, selector, joiner }
    private var previous = Previous.none

    /// True if the next scalar of the text is harmful.
    mutating func contains(_ scalar: Unicode.Scalar) -> Bool {
        previous = kind(of: scalar)
        return previous == .none
    }

    private func kind(of scalar: Unicode.Scalar) -> Previous {
        if scalar.isASCII { return 0x20..<0x7F ~= scalar.value ? .visible : .none }
        let properties = scalar.properties
        if properties.isJoinControl { return previous == .visible || previous == .selector ? .joiner : .none }
        if properties.isVariationSelector { return previous == .visible ? .selector : .none }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return .none
        default: return properties.isDefaultIgnorableCodePoint || properties.isNoncharacterCodePoint ? .none : .visible
        }
    }
}
