import Testing

@testable import HostSystem

struct DisplayWidthTests {
    @Test(
        "The display width of text is its number of terminal columns",
        arguments: [
            ("", 0), ("abc", 3), ("ä", 1), ("e\u{301}", 1), ("日本", 4), ("ｶﾅ", 2), ("한글", 4), ("🎈", 2),
            ("a\u{200B}b", 2), ("…", 1), ("\u{FFFD}", 1),
        ])
    func width(text: String, width: Int) {
        #expect(displayWidth(text) == width)
    }

    @Test("Padding extends short text and shortens nothing")
    func padding() {
        #expect(padded("日", to: 4) == "日  ")
        #expect(padded("abc", to: 3) == "abc")
        #expect(padded("abcd", to: 3) == "abcd")
    }
}
