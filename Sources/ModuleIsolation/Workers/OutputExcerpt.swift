/// The beginning and the end of what a process writes, however much it is: the beginning says what went wrong first, and a
/// backtrace stands at the end.
struct OutputExcerpt: Sendable {
    static let firstLimit = 16 << 10
    static let lastLimit = 48 << 10

    private var first: [UInt8] = []
    private var last: [UInt8] = []
    /// How many bytes between the two were dropped.
    private(set) var dropped = 0

    mutating func append(_ bytes: some Collection<UInt8>) {
        let room = Self.firstLimit - first.count
        first += bytes.prefix(room)
        last += bytes.dropFirst(room)
        // Not with each piece: moving the rest to the front costs its length.
        if last.count > 2 * Self.lastLimit { trim() }
    }

    private mutating func trim() {
        let excess = max(0, last.count - Self.lastLimit)
        last.removeFirst(excess)
        dropped += excess
    }

    /// What was kept.
    var text: String {
        var whole = self
        whole.trim()
        let gap = whole.dropped == 0 ? [] : Array("\n… \(whole.dropped) bytes are left out …\n".utf8)
        return String(decoding: whole.first + gap + whole.last, as: UTF8.self)
    }
}
