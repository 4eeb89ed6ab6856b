import HostSystem

/// A table of text with headings. Each line ends with a newline.
package struct TextTable {
    private var rows: [[String]]

    package init(headings: [String]) { rows = [headings.map { printable($0) }] }

    package mutating func add(_ row: [String]) { rows.append(row.map { printable($0) }) }

    /// Returns the table as text. Columns are separated by two spaces, and the last column is not padded.
    ///
    /// - Parameter limit: The number of terminal columns. If the table is wider, its widest columns become narrower, and
    ///   their texts continue on further lines. If that would break words, each row becomes a table of its own, with a line
    ///   for each column. Nil for any width.
    package func text(_ style: TextStyle, width limit: Int? = nil) -> String {
        let natural = rows[0].indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        var widths = natural
        if let limit, !narrow(&widths, to: limit, floors: widths.indices.map(longestWord)) {
            if widths.count > 2, rows.count > 1 {
                return rows.dropFirst().map { stacked($0).text(style, width: limit) }.joined(separator: "\n")
            }
            _ = narrow(&widths, to: limit, floors: natural.map { min($0, Self.minimum) })
        }
        return rows.enumerated().reduce(into: "") { text, row in
            for cells in widths == natural ? [row.element] : Self.lines(of: row.element, widths) {
                var line = zip(cells, widths).map { padded($0, to: $1) }.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                text += (row.offset == 0 ? style.bold(line) : line) + "\n"
            }
        }
    }

    /// The narrowest column of a table that does not fit. A wide character needs two columns.
    private static let minimum = 4

    /// Makes the widest columns narrower until they fit into a terminal. Of equally wide columns, the last one keeps its
    /// width longest, because summaries are there.
    ///
    /// - Returns: False if the columns do not fit even with the widths of `floors`.
    private func narrow(_ widths: inout [Int], to limit: Int, floors: [Int]) -> Bool {
        widths = widths.map { min($0, max(limit, 1)) }
        var excess = widths.reduce(2 * (widths.count - 1) - limit, +)
        while excess > 0 {
            let wide = widths.indices.filter { widths[$0] > floors[$0] }
            guard let widest = wide.max(by: { widths[$0] < widths[$1] }) else { return false }
            widths[widest] -= 1
            excess -= 1
        }
        return true
    }

    private func longestWord(of column: Int) -> Int {
        rows.map { $0[column].split(separator: " ").map { displayWidth(String($0)) }.max() ?? 0 }.max() ?? 0
    }

    /// Returns a row as a table with a row for each column that is not empty.
    private func stacked(_ row: [String]) -> TextTable {
        var table = TextTable(headings: [rows[0][0], row[0]])
        for (heading, cell) in zip(rows[0], row).dropFirst() where !cell.isEmpty { table.add([heading, cell]) }
        return table
    }

    /// Returns the lines of a row, each with a text for each column.
    private static func lines(of row: [String], _ widths: [Int]) -> [[String]] {
        let cells = zip(row, widths).map { brokenLines(of: $0, width: $1) }
        return (0..<(cells.map(\.count).max() ?? 0)).map { line in
            cells.map { line < $0.count ? $0[line] : "" }
        }
    }
}
