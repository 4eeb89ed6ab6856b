import Testing

@testable import HostSystem

struct TextPositionTests {
    @Test(
        "A position counts lines and Unicode scalars from 1",
        arguments: [
            ("", 0, "1:1"), ("abc", 0, "1:1"), ("abc", 2, "1:3"), ("abc", 3, "1:4"),
            ("a\nb", 1, "1:2"), ("a\nb", 2, "2:1"), ("a\n\n\nb", 4, "4:1"), ("a\r\nb", 3, "2:1"),
            // 日 has three bytes, 🎈 has four, and e with a combining accent is two scalars.
            ("日本x", 6, "1:3"), ("🎈x", 4, "1:2"), ("e\u{301}x", 3, "1:3"), ("日\n本x", 7, "2:2"),
        ])
    func places(text: String, offset: Int, expected: String) {
        #expect(TextPosition(offset: offset, in: Array(text.utf8)).description == expected)
    }

    @Test("A byte inside a character has the column of the next character", arguments: [1, 2])
    func inside(offset: Int) {
        #expect(TextPosition(offset: offset, in: Array("日x".utf8)).description == "1:2")
    }

    @Test("An offset past the end is the position of the end", arguments: [4, 1000])
    func pastTheEnd(offset: Int) {
        #expect(TextPosition(offset: offset, in: Array("a\nbc".utf8)).description == "2:3")
    }
}
