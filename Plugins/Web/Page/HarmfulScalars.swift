/// A filter for characters that could change how other text of a page is displayed. Pass the scalars of a text in order.
///
/// The filter is that of the host's text: control characters, line and paragraph separators, noncharacters, format
/// characters such as bidirectional controls and tags, and other default ignorable characters are harmful. A joiner is
/// allowed directly after a visible character or a variation selector, and a variation selector directly after a visible
/// character, because names and emoji need them.
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
