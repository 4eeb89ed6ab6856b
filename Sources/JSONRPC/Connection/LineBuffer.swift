/// A buffer that splits input into lines and discards lines that are too long.
struct LineBuffer {
    /// The maximum length of a line in bytes, without the newline.
    let longest: Int
    private var line: [UInt8] = []
    private var isTooLong = false

    init(longest: Int) { self.longest = longest }

    /// Adds a piece of input and returns the lines that it completes. For each line that is too long, the array
    /// contains nil.
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

    /// Removes the unterminated last line and returns it in an array. Returns an empty array if all lines are
    /// terminated.
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
