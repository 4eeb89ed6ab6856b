/// A rule on the characters that a text may bring into a page.
enum TextRule {
    /// A visible text of one line.
    case line
    /// A visible text with several lines.
    case lines
    /// A text that a browser sends back and does not show.
    case id

    /// Returns true if the rule replaces a scalar.
    fileprivate func replaces(_ scalar: Unicode.Scalar, _ filter: inout HarmfulScalars) -> Bool {
        switch self {
        case .line: filter.contains(scalar)
        case .lines: filter.contains(scalar) && scalar != "\n"
        // Documents cannot contain these characters, even as references.
        case .id: scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar) || scalar.value & 0xFFFE == 0xFFFE
        }
    }
}

extension String {
    /// Appends this text to markup, as the content of an element or of a quoted attribute.
    func escape(by rule: TextRule, into bytes: inout [UInt8]) {
        if utf8.allSatisfy(\.isPlain) {
            bytes += utf8
            return
        }
        var filter = HarmfulScalars()
        for scalar in unicodeScalars {
            if rule.replaces(scalar, &filter) {
                bytes += ("\u{FFFD}" as Unicode.Scalar).utf8
                continue
            }
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            // A parser changes line breaks and tabs in attributes, unless they are references.
            case "\t", "\r": bytes += "&#\(scalar.value);".utf8
            case "\n" where rule == .id: bytes += "&#10;".utf8
            default: bytes += scalar.utf8
            }
        }
    }

    /// Returns the text with the characters replaced that a page replaces.
    func replacingUnsafe(_ rule: TextRule) -> String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) { return self }
        var clean = String.UnicodeScalarView()
        var filter = HarmfulScalars()
        for scalar in unicodeScalars { clean.append(rule.replaces(scalar, &filter) ? "\u{FFFD}" : scalar) }
        return String(clean)
    }
}

extension UInt8 {
    /// True for a printable ASCII character that needs no escape.
    fileprivate var isPlain: Bool {
        switch self {
        case 0x22, 0x26, 0x27, 0x3C, 0x3E: false
        default: 0x20..<0x7F ~= self
        }
    }
}
