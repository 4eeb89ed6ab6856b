import Testing

/// A text that tries to be more than text. A renderer may show another text for it, but nothing else may change.
///
/// The tests of each renderer use these texts: text, JSON, and the front ends.
package struct HostileText: Sendable, CustomTestStringConvertible {
    /// The name in test results, because the text itself may damage a terminal.
    package let name: String
    package let text: String

    package var testDescription: String { name }

    private init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }

    private init(_ name: String, scalars: some Sequence<UInt32>) {
        self.init(name, String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init))))
    }

    /// The texts that fit into each property of a screen.
    package static let short: [HostileText] = [
        HostileText("markup", #"</main></form><script>alert(1)</script><img src=x onerror=alert(1)>&lt;&#60;&amp<!--"#),
        HostileText("ends of elements", "--></title></style></textarea></script></svg>]]>?><b>"),
        HostileText("quotes", #"" onmouseover="alert(1)" ' onfocus='alert(1)' ` `` \ \" \' \\"#),
        HostileText("JSON", #"","title":"x","actions":[]}],"loading":true,"\u0022\n"#),
        HostileText("templates", "{{7*7}} ${7*7} #{7*7} %s %n %25 %3Cb%3E $(id) `id` \\(1) =1+1 @import url(x)"),
        HostileText("addresses", "javascript:alert(1) //example.org/../../etc/passwd?a=b&c=d#e;f=g,h+i"),
        HostileText("line breaks", "a\nb\r\nc\rd\u{B}e\u{C}f\u{85}g\u{2028}h\u{2029}i\n\n"),
        HostileText("another screen", "x\n! Not saved\n  [quit] Quit\nLoading …\n> quit"),
        HostileText("response splitting", "x\r\nSet-Cookie: a=b\r\n\r\n<html>\r\ndata: y\n\nevent: closed\n\n"),
        HostileText(
            "escape sequences", "\u{1B}[2J\u{1B}[31m\u{1B}]0;title\u{7}\u{1B}P1$r\u{1B}\\\u{9B}2J\u{9D}0;x\u{9C}"),
        HostileText("control characters", scalars: [0..<0x20, 0x7F..<0xA0].joined()),
        HostileText("tabulators and backspaces", "\ta\u{8}\u{8}\u{8}b\t\tc\u{7F}"),
        HostileText(
            "bidirectional controls", "cod.\u{202E}gpj.exe\u{202A}\u{202B}\u{202D}\u{2066}\u{2067}\u{2068}\u{61C}"),
        HostileText("ends of bidirectional controls", "\u{202C}\u{2069}\u{2069}\u{202C}\u{200E}\u{200F}"),
        HostileText("right to left", "שלום עולם (1) مرحبا 123 / abc"),
        HostileText(
            "invisible characters",
            "\u{200D}a\u{200D}\u{200D}b\u{200B}\u{200C}\u{2060}\u{FEFF}\u{AD}\u{34F}\u{FE0F}\u{E0100}\u{180E}\u{3164}"),
        HostileText("tags", "🏴\u{E0067}\u{E0062}\u{E007F}\u{E0041}\u{E0001}"),
        HostileText("noncharacters", scalars: [0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1FFFE, 0x10FFFF, 0xE000, 0xFFFD]),
        HostileText("combining marks first", "\u{301}\u{20E3}\u{328}a"),
        HostileText("combining flood", "Z" + String(repeating: "\u{301}\u{33F}\u{489}", count: 300)),
        HostileText("emoji", "👩\u{200D}🚀 👨\u{200D}👩\u{200D}👧\u{200D}👦 🇯🇵🇯 1\u{FE0F}\u{20E3} ❤\u{FE0F}\u{200D}🔥"),
        HostileText("wide", "日本語ｗｉｄｅ한국어🎈" + String(repeating: "ﷺ", count: 50)),
        HostileText("spaces", "  \u{A0}\u{2003}\u{3000}\u{1680}  "),
        HostileText("long word", String(repeating: "A", count: 5_000)),
        HostileText("many lines", String(repeating: "\n", count: 1_000)),
    ]

    /// Texts of 1 MB. A screen may contain each of them a few times.
    package static let large: [HostileText] = [
        HostileText("1 MB of markup", String(repeating: #"<b a="'">&"#, count: 100_000)),
        HostileText("1 MB of combining marks", "Z" + String(repeating: "\u{301}", count: 500_000)),
        HostileText("1 MB of control characters", String(repeating: "\u{1B}\u{7}\u{202E}", count: 200_000)),
        HostileText("1 MB of lines", String(repeating: "a\n", count: 500_000)),
    ]
}
