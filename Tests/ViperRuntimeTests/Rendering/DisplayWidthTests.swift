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
}
