struct LineSplitter: Sendable {
    /// The maximum length of a line in bytes. A longer line is split.
    static let limit = 4 << 10

    private var rest: [UInt8] = []

    mutating func lines(completedBy bytes: some Collection<UInt8>) -> [String] {
        rest += bytes
        var lines: [String] = []
        var start = rest.startIndex
        while start < rest.endIndex {
            let part = rest[start...].prefix(Self.limit)
            if let end = part.firstIndex(of: UInt8(ascii: "\n")) {
                lines.append(String(decoding: rest[start..<end], as: UTF8.self))
                start = end + 1
            } else if part.count == Self.limit {
                lines.append(String(decoding: part, as: UTF8.self))
                start = part.endIndex
            } else {
                break
            }
        }
        rest.removeFirst(start)
        return lines
    }

    /// Returns the last line if it is not terminated by a newline. Returns nil otherwise.
    mutating func finish() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
