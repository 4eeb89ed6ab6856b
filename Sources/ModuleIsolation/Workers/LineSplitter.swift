/// Cuts what arrives in pieces into lines.
struct LineSplitter: Sendable {
    /// A longer line comes in several; no line is longer than a person reads.
    static let limit = 4 << 10

    private var rest: [UInt8] = []

    /// The lines that a piece completes.
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

    /// What stands after the last end of a line; nil when it is nothing.
    mutating func finish() -> String? {
        defer { rest = [] }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }
}
