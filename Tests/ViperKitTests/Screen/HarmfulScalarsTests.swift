import Testing
import ViperKit

struct HarmfulScalarsTests {
    /// All scalars of the planes that have invisible characters, and some others.
    private static let scalars = [0...0x1_FFFF, 0xE_0000...0xE_0FFF, 0x10_FFFE...0x10_FFFF].joined().compactMap {
        Unicode.Scalar(UInt32($0))
    }

    /// Returns true for the harmful scalars. It lists code points, while the code under test uses Unicode's properties.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00..<0x20, 0x7F..<0xA0: true
        case 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180E, 0x3164, 0xFEFF, 0xFFA0: true
        // The joiners between these are harmless.
        case 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F: true
        case 0xFDD0...0xFDEF, 0xFFF0...0xFFFB: true
        case 0x0600...0x0605, 0x06DD, 0x070F, 0x0890...0x0891, 0x08E2: true
        case 0x1_10BD, 0x1_10CD, 0x1_3430...0x1_343F, 0x1_BCA0...0x1_BCA3, 0x1_D173...0x1_D17A: true
        case 0xE_0000...0xE_00FF, 0xE_01F0...0xE_0FFF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    @Test("Controls, separators, noncharacters and invisible characters are replaced, and no others")
    func everyScalar() {
        let text = Self.scalars.reduce(into: "".unicodeScalars) {
            $0.append("a")
            $0.append($1)
        }
        let clean = Array(String(text).replacingHarmfulScalars(keepingLines: false).unicodeScalars)
        #expect(clean.count == 2 * Self.scalars.count)
        let wrong = Self.scalars.enumerated().filter { index, scalar in
            clean[2 * index + 1] != (Self.isHarmful(scalar) ? "\u{FFFD}" : scalar)
        }
        #expect(wrong.isEmpty, "\(wrong.prefix(20).map { String($0.element.value, radix: 16) })")
    }

    @Test(
        "Harmless text keeps its joiners and variation selectors",
        arguments: [
            "plain", "日本 e\u{301}🇯🇵", "👩\u{200D}🚀", "❤\u{FE0F}\u{200D}🔥", "1\u{FE0F}\u{20E3}", "می\u{200C}خواهم",
            "葛\u{E0100}城",
            "क्\u{200D}ष", "\u{A0}", "\u{F8FF}",
        ])
    func harmless(text: String) {
        #expect(text.replacingHarmfulScalars(keepingLines: false).unicodeScalars.elementsEqual(text.unicodeScalars))
    }

    @Test(
        "Harmful characters are replaced, and so are joiners and selectors that have nothing to join or select",
        arguments: [
            ("\r\n", "??"), ("\0", "?"), ("a\u{85}b", "a?b"), ("\u{1B}]0;x\u{7}", "?]0;x?"),
            ("cod.\u{202E}gpj.exe", "cod.?gpj.exe"), ("li\u{200B}st", "li?st"), ("a\u{2028}host: b", "a?host: b"),
            ("🏴\u{E0067}\u{E007F}", "🏴??"), ("\u{200D}a", "?a"), ("a\u{200D}\u{200D}b", "a\u{200D}?b"),
            ("a\u{FE0F}\u{FE01}\u{E0100}", "a\u{FE0F}??"), ("\u{202E}\u{200D}", "??"),
        ])
    func harmful(text: String, clean: String) {
        let expected = clean.replacing("?", with: "\u{FFFD}").unicodeScalars
        #expect(text.replacingHarmfulScalars(keepingLines: false).unicodeScalars.elementsEqual(expected))
    }

    @Test("Line feeds are kept if they are wanted, and other control characters are replaced")
    func lines() {
        #expect("a\nb\u{1B}[2J\n".replacingHarmfulScalars(keepingLines: true) == "a\nb\u{FFFD}[2J\n")
        let clean = "é\r\n\n".replacingHarmfulScalars(keepingLines: true)
        #expect(clean.unicodeScalars.elementsEqual("é\u{FFFD}\n\n".unicodeScalars))
    }
}
