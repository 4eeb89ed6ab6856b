import Testing

@testable import ViperRuntime

struct DisplayWidthTests {
    @Test(
        "a text is as wide as its scalars are in a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("ä", 1), ("e\u{301}", 1), ("日本", 4), ("ｶﾅ", 2), ("한글", 4), ("🎈", 2),
            ("a\u{200B}b", 2), ("…", 1), ("\u{FFFD}", 1),
        ])
    func width(text: String, width: Int) {
        #expect(displayWidth(text) == width)
    }

    @Test("padding fills up to the width, and shortens nothing")
    func padding() {
        #expect(padded("日", to: 4) == "日  ")
        #expect(padded("abc", to: 3) == "abc")
        #expect(padded("abcd", to: 3) == "abcd")
    }

    @Test(
        "control characters are replaced one by one, and nothing else is",
        arguments: [
            ("plain", "plain"), ("日本 e\u{301}🇯🇵", "日本 e\u{301}🇯🇵"), ("\r\n", "\u{FFFD}\u{FFFD}"), ("\0", "\u{FFFD}"),
            ("a\u{85}b", "a\u{FFFD}b"), ("\u{1B}]0;x\u{7}", "\u{FFFD}]0;x\u{FFFD}"),
        ])
    func printableText(text: String, clean: String) {
        #expect(printable(text) == clean)
    }
}
