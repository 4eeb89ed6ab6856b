import HostSystem

/// A table of text with headings. Each line ends with a newline.
package struct TextTable {
    private var rows: [[String]]

    package init(headings: [String]) { rows = [headings.map { printable($0) }] }

    package mutating func add(_ row: [String]) { rows.append(row.map { printable($0) }) }

    /// Returns the table as text. Columns are separated by two spaces, and the last column is not padded.
    package func text(_ style: TextStyle) -> String {
        let widths = rows[0].indices.map { column in rows.map { displayWidth($0[column]) }.max() ?? 0 }
        return rows.enumerated().reduce(into: "") { text, row in
            let cells = row.element.enumerated().map { padded($0.element, to: widths[$0.offset]) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            text += (row.offset == 0 ? style.bold(line) : line) + "\n"
        }
    }
}
