/// Returns the text as one line that is safe to print. Line breaks, control characters, and invisible characters that
/// change how other text is displayed are replaced by U+FFFD.
///
/// Text from a module, a manifest, a library or a file name must not control the terminal or imitate other output.
package func printable(_ text: String) -> String {
    text.utf8.allSatisfy { 0x20..<0x7F ~= $0 } ? text : replaced(in: text) { _ in false }
}

/// Replaces the same characters as ``printable(_:)``, but keeps line feeds.
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

/// A filter for characters that must not reach a terminal, a log or a JSON reader unescaped. Pass the scalars of a
/// string in order.
///
/// Harmful characters are control characters, line and paragraph separators, noncharacters, format characters such as
/// bidirectional controls and tags, and other default ignorable characters. However, names and emoji need some
/// invisible characters. A joiner (U+200C, U+200D) is allowed directly after a visible character or a variation
/// selector. A variation selector is allowed directly after a visible character.
struct HarmfulScalars {
    private enum Previous { case none, visible, selector, joiner }
    private var previous = Previous.none

    /// Returns true if the next scalar of the text is harmful.
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
