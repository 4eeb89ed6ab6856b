/// A place in a text as editors count it: lines and columns from 1, a column for each Unicode scalar.
struct TextPosition: Equatable, CustomStringConvertible {
    var line: Int
    var column: Int

    /// The place of a byte. An offset past the end is the end.
    init(offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<min(offset, bytes.count)]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        line = 1 + before.reduce(0) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        // Continuation bytes of UTF-8 are 10xxxxxx; every other byte begins a scalar.
        column = 1 + before[lineStart...].reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + 1 }
    }

    var description: String { "\(line):\(column)" }
}
