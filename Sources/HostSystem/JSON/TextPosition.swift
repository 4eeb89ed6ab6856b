/// A position in text, as editors display it. Lines and columns start at 1, and each Unicode scalar is one column.
struct TextPosition: Equatable, CustomStringConvertible {
    var line: Int
    var column: Int

    /// Creates the position of the byte at an offset. If the offset is beyond the end of the text, creates the position
    /// of the text's end.
    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(offset, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        // UTF-8 continuation bytes have the form 10xxxxxx. Every other byte starts a scalar.
        column = 1 + before[lineStart...].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    var description: String { "\(line):\(column)" }
}
