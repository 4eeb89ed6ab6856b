/// Cuts what comes in pieces into lines. Of a line that is too long nothing is kept.
struct LineBuffer {
    /// In bytes, without the newline.
    let longest: Int
    private var line: [UInt8] = []
    private var isTooLong = false

    init(longest: Int) { self.longest = longest }

    /// The lines that end in this piece. Nil stands for one that was too long.
    mutating func take(_ piece: some Collection<UInt8>) -> [[UInt8]?] {
        var lines: [[UInt8]?] = []
        var rest = piece[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            add(rest[..<end])
            lines.append(takeLine())
            rest = rest[rest.index(after: end)...]
        }
        add(rest)
        return lines
    }

    /// The last line, where it has no newline. An empty one is none.
    mutating func takeRest() -> [[UInt8]?] { line.isEmpty && !isTooLong ? [] : [takeLine()] }

    private mutating func add(_ part: some Collection<UInt8>) {
        if isTooLong || line.count + part.count > longest {
            (line, isTooLong) = ([], true)
        } else {
            line += part
        }
    }

    private mutating func takeLine() -> [UInt8]? {
        defer { (line, isTooLong) = ([], false) }
        return isTooLong ? nil : line
    }
}
