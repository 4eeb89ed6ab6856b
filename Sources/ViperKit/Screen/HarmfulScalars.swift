/// A filter for characters that must not reach a terminal, a page, a log or a reader of JSON unescaped. Pass the scalars
/// of a text in order.
///
/// Harmful characters are control characters, line and paragraph separators, noncharacters, format characters such as
/// bidirectional controls and tags, and other default ignorable characters. However, names and emoji need some
/// invisible characters. A joiner (U+200C, U+200D) is allowed directly after a visible character or a variation
/// selector. A variation selector is allowed directly after a visible character.
///
/// A front end that shows screens replaces these characters with `String.replacingHarmfulScalars(keepingLines:)`.
public struct HarmfulScalars: Sendable {
    private enum Previous { case none, visible, selector, joiner }
    private var previous = Previous.none

    /// Creates a filter for the beginning of a text.
    public init() {}

    /// Returns true if the next scalar of the text is harmful.
    public mutating func contains(_ scalar: Unicode.Scalar) -> Bool {
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

extension String {
    /// Returns a text that is safe to show: each harmful character is replaced by U+FFFD, also a line break.
    ///
    /// Text from a module, a manifest or a file must not control a terminal or imitate other output.
    ///
    /// - Parameter keepingLines: True to keep line feeds (`\n`).
    public func replacingHarmfulScalars(keepingLines: Bool) -> String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 || keepingLines && $0 == 0x0A }) { return self }
        var clean = String.UnicodeScalarView()
        var harmful = HarmfulScalars()
        for scalar in unicodeScalars {
            let isKept = !harmful.contains(scalar) || keepingLines && scalar == "\n"
            clean.append(isKept ? scalar : "\u{FFFD}")
        }
        return String(clean)
    }
}
