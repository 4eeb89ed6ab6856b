import ViperKit

/// A rule on the characters that a text may bring into a page.
enum TextRule {
    /// A visible text of one line.
    case line
    /// A visible text with several lines.
    case lines
    /// A text that a browser sends back and does not show.
    case id

    /// Returns a text in which U+FFFD replaces the characters that this rule keeps out of pages.
    fileprivate func applied(to text: String) -> String {
        switch self {
        case .line: return text.replacingHarmfulScalars(keepingLines: false)
        case .lines: return text.replacingHarmfulScalars(keepingLines: true)
        case .id:
            // Documents cannot contain these characters, even as references.
            let scalars = text.unicodeScalars.map { scalar in
                let isControl = scalar.value < 0x20 && !["\t", "\n", "\r"].contains(scalar)
                return isControl || scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar
            }
            return String(String.UnicodeScalarView(scalars))
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
        for scalar in rule.applied(to: self).unicodeScalars {
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
