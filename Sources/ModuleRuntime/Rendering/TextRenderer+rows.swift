import HostSystem
import ViperKit

/// The rows of lists, tables and charts.
extension TextRenderer {
    /// Returns the widths of the columns, so that those of several sections are aligned. The last text of a row needs no
    /// width, unless its column is aligned to its end.
    func widths(of sections: [Section]) -> [Int] {
        var widths: [Int] = []
        func widen(_ column: Int, to width: Int) {
            while widths.count <= column { widths.append(0) }
            widths[column] = max(widths[column], width)
        }
        for section in sections {
            if section.isTable {
                for (column, head) in section.columns.enumerated() {
                    widen(column, to: displayWidth(printable(head.title)))
                }
            }
            for row in section.rows {
                let texts = row.columns
                for (column, text) in texts.enumerated() where column < texts.count - 1 || section.isTrailing(column) {
                    widen(column, to: displayWidth(printable(text)) + (column == 0 ? row.mark.count : 0))
                }
            }
        }
        return widths
    }

    func add(_ section: Section, widths: [Int], _ margin: inout Margin, to text: inout String) {
        if let title = section.title { text += style.bold(printable(title)) + "\n" }
        if let fallback = section.fallback { text += "  " + style.dim(fallback) + "\n" }
        if section.isTable, !section.columns.allSatisfy(\.title.isEmpty), !section.rows.isEmpty {
            let heads = section.columns.enumerated().map { aligned(printable($1.title), $0, in: section, widths) }
            text += margin.blank + style.dim(trimmed(heads.joined(separator: "   "))) + "\n"
        }
        for row in section.rows { add(row, of: section, widths: widths, &margin, to: &text) }
    }

    private func add(
        _ row: Row, of section: Section, widths: [Int], _ margin: inout Margin, to text: inout String
    ) {
        var texts = row.columns.map { printable($0) }
        texts[0] = row.mark + texts[0]
        var cells = texts.enumerated().map { column, cell in
            let isLast = column == texts.count - 1 && !section.isTrailing(column)
            return isLast ? cell : aligned(cell, column, in: section, widths)
        }
        // Only the title is as important as a heading.
        for column in cells.indices.dropFirst() { cells[column] = style.dim(cells[column]) }
        cells[0] = style.toned(cells[0], row.tone)
        let badge = row.badge.map { "  (\(printable($0)))" } ?? ""
        let image = row.image?.shown.map { "  " + style.dim($0) } ?? ""
        let actions = row.actions.map { "  " + shown($0) }.joined()
        text += margin.next(isNumbered: row.isSelectable) + cells.joined(separator: "   ") + badge + image + actions
        text += "\n"
        if let lines = row.text { add(lines: lines, after: margin.blank + "  ", to: &text, style.dim) }
    }

    private func aligned(_ text: String, _ column: Int, in section: Section, _ widths: [Int]) -> String {
        let width = widths.indices.contains(column) ? widths[column] : 0
        if !section.isTrailing(column) { return padded(text, to: width) }
        return String(repeating: " ", count: max(0, width - displayWidth(text))) + text
    }

    private func trimmed(_ line: String) -> String {
        var line = line
        while line.last == " " { line.removeLast() }
        return line
    }
}

extension Section {
    /// True if the section is shown as a table of its own. As text, this includes charts.
    var isTable: Bool { [.table, .barChart, .lineChart].contains(kind) }

    /// True if the texts of a column are aligned to its end.
    func isTrailing(_ column: Int) -> Bool {
        columns.indices.contains(column) && columns[column].alignment == .trailing
    }
}

extension Row {
    /// The check mark before the title.
    var mark: String { isChecked.map { $0 ? "[x] " : "[ ] " } ?? "" }
}
