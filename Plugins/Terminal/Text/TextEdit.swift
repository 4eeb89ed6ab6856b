/// The text of a field while the user edits it.
struct TextEdit: Equatable {
    private(set) var characters: [Character]
    /// The number of characters before the cursor.
    private(set) var cursor: Int
    /// True after the text was sent to the module, until it changes again.
    var isSent = false

    init(_ text: String) {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }

    mutating func insert(_ text: String) {
        // A combining character belongs to the character before it.
        let start = max(0, cursor - 1)
        let new = Array(String(characters[start..<cursor]) + text)
        characters.replaceSubrange(start..<cursor, with: new)
        cursor = start + new.count
        isSent = false
    }

    mutating func deleteBackward() {
        if cursor == 0 { return }
        cursor -= 1
        delete(cursor..<cursor + 1)
    }

    mutating func deleteForward() { if cursor < characters.count { delete(cursor..<cursor + 1) } }

    /// Deletes the text from the beginning of the line to the cursor.
    mutating func deleteToStart() {
        let start = line.lowerBound
        delete(start..<cursor)
        cursor = start
    }

    mutating func deleteWord() {
        var start = cursor
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        delete(start..<cursor)
        cursor = start
    }

    private mutating func delete(_ range: Range<Int>) {
        characters.removeSubrange(range)
        isSent = false
    }

    mutating func move(by offset: Int) { cursor = min(max(0, cursor + offset), characters.count) }
    mutating func moveToStart() { cursor = line.lowerBound }
    mutating func moveToEnd() { cursor = line.upperBound }

    /// The characters of the cursor's line, without the line break.
    private var line: Range<Int> {
        let start = characters[..<cursor].lastIndex(of: "\n").map { $0 + 1 } ?? 0
        return start..<(characters[cursor...].firstIndex(of: "\n") ?? characters.count)
    }

    /// Returns the parts of the text that lines of this width show.
    func lines(width: Int) -> [Range<Int>] {
        var (lines, start, used) = ([Range<Int>](), 0, 0)
        for (index, character) in characters.enumerated() {
            if character == "\n" {
                lines.append(start..<index)
                (start, used) = (index + 1, 0)
                continue
            }
            let columns = max(1, CellText.width(character))
            if used + columns > width, index > start {
                lines.append(start..<index)
                (start, used) = (index, 0)
            }
            used += columns
        }
        return lines + [start..<characters.count]
    }

    /// Returns the place of the cursor in these lines.
    func place(in lines: [Range<Int>]) -> (line: Int, column: Int) {
        let line = lines.lastIndex { $0.lowerBound <= cursor } ?? 0
        return (line, columns(lines[line].lowerBound..<cursor))
    }

    func columns(_ range: Range<Int>) -> Int { CellText.width(CellText.clean(String(characters[range]))) }

    /// Moves the cursor by lines of this width.
    ///
    /// - Returns: False if the text has no such line.
    mutating func move(byLines offset: Int, width: Int) -> Bool {
        let lines = lines(width: width)
        let (line, column) = place(in: lines)
        guard lines.indices.contains(line + offset) else { return false }
        let target = lines[line + offset]
        cursor = target.first { columns(target.lowerBound..<$0 + 1) > column } ?? target.upperBound
        return true
    }
}
