import ViperKit

/// The widths of the columns of rows.
enum ColumnWidths {
    /// The number of rows of a section that are measured in full, because other characters than ASCII take time. In later
    /// rows, such texts are cut off if they are wider. All rows count, so scrolling never changes the columns.
    private static let measured = 1_000

    /// Returns the widths for each section. The columns of all lists are aligned, and each table has its own.
    static func all(of sections: [Section]) -> [[Int]] {
        var lists: [Int] = []
        var tables: [Int: [Int]] = [:]
        for (index, section) in sections.enumerated() {
            if section.isList || !section.isKnown {
                widen(&lists, by: section)
            } else {
                var widths: [Int] = []
                for (column, head) in section.columns.enumerated() { widen(&widths, column, to: head.title) }
                widen(&widths, by: section)
                tables[index] = widths
            }
        }
        return sections.indices.map { tables[$0] ?? lists }
    }

    private static func widen(_ widths: inout [Int], by section: Section) {
        for (index, row) in section.rows.enumerated() {
            let isFull = index < measured
            widen(&widths, 0, to: row.title, adding: row.isChecked == nil ? 0 : 4, isFull)
            if let detail = row.detail { widen(&widths, 1, to: detail, isFull) }
            let first = row.detail == nil ? 1 : 2
            for (offset, cell) in row.cells.enumerated() { widen(&widths, first + offset, to: cell, isFull) }
        }
    }

    private static func widen(
        _ widths: inout [Int], _ column: Int, to text: String, adding more: Int = 0, _ isFull: Bool = true
    ) {
        while widths.count <= column { widths.append(0) }
        // A character has at least one byte for each column.
        if text.utf8.count + more <= widths[column] { return }
        if !isFull, !text.utf8.allSatisfy({ $0 < 0x80 }) { return }
        // Wider texts do not fit on a line in any case.
        let width = text.utf8.count > 1_000 ? 1_000 : CellText.width(CellText.clean(text))
        widths[column] = max(widths[column], width + more)
    }

    /// The width below which a column does not become narrower. Below it, the line is cut off.
    private static let least = 4

    /// Returns widths that fit into a line, with gaps of two columns between them. The widest columns become equally wide.
    static func fitted(_ widths: [Int], into columns: Int) -> [Int] {
        var room = columns - 2 * max(0, widths.count - 1)
        if widths.reduce(0, +) <= room { return widths }
        // Narrow columns keep their widths, and the others share the rest.
        var (share, rest) = (least, 0)
        for (index, width) in widths.sorted().enumerated() {
            (share, rest) = max(0, room).quotientAndRemainder(dividingBy: widths.count - index)
            if width > share { break }
            room -= width
        }
        return widths.map { width in
            if width <= max(least, share) { return width }
            rest -= 1
            return max(least, share + (rest >= 0 ? 1 : 0))
        }
    }
}
