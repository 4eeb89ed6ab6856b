/// The beginning and end of a process's output. The first error is usually at the beginning, and a backtrace at the
/// end.
struct OutputExcerpt: Sendable {
    static let firstLimit = 16 << 10
    static let lastLimit = 48 << 10

    private var first: [UInt8] = []
    private var last: [UInt8] = []
    private(set) var dropped = 0

    mutating func append(_ bytes: some Collection<UInt8>) {
        let room = Self.firstLimit - first.count
        first += bytes.prefix(room)
        last += bytes.dropFirst(room)
        // Removing bytes from the front moves all bytes that follow, so `last` is not trimmed for every piece of
        // output.
        if last.count > 2 * Self.lastLimit { trim() }
    }

    private mutating func trim() {
        let excess = max(0, last.count - Self.lastLimit)
        last.removeFirst(excess)
        dropped += excess
    }

    var text: String {
        var whole = self
        whole.trim()
        let gap = whole.dropped == 0 ? [] : Array("\n… \(whole.dropped) bytes omitted …\n".utf8)
        return String(decoding: whole.first + gap + whole.last, as: UTF8.self)
    }
}
