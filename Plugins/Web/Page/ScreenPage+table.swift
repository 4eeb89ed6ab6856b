import ViperKit

/// Rows with columns.
extension ScreenPage {
    func table(_ section: Section, _ number: Int) -> HTML {
        let hasActions = section.rows.contains { !$0.actions.isEmpty }
        // A list with many columns is aligned like a table, and has no titles.
        let isTable = section.isKnown && section.kind != .rows
        let count = max(isTable ? section.columns.count : 0, section.columnCount)
        let heads = isTable ? head(section, count, hasActions) : nil
        let body = HTML.joined(section.rows) { row in
            let actions: HTML? = hasActions ? "<td class=\"acts\">\(buttons(of: row))</td>" : nil
            return tableRow(row, rowHead(row, isEnd: section.isTrailing(0)), of: section, count, actions)
        }
        return scrolling(section, number, "<table>\n\(heads)<tbody>\n\(body)</tbody>\n</table>\n")
    }

    /// Returns a region that scrolls if it is too wide, also with the keyboard.
    func scrolling(_ section: Section, _ number: Int, _ content: HTML) -> HTML {
        let label: HTML =
            section.title == nil ? "aria-label=\"Table\"" : "aria-labelledby=\"section\(number)\""
        return "<div class=\"scroll\" role=\"group\" tabindex=\"0\" \(label)>\n\(content)</div>\n"
    }

    func head(_ section: Section, _ count: Int, _ hasMore: Bool) -> HTML? {
        if section.columns.allSatisfy(\.title.isEmpty) { return nil }
        let cells = HTML.joined(0..<count) { column in
            let title = section.columns.indices.contains(column) ? section.columns[column].title : ""
            let align: HTML? = section.isTrailing(column) ? " class=\"end\"" : nil
            // HTML does not allow an empty header.
            if title.isEmpty { return "<td\(align)></td>" }
            return "<th scope=\"col\"\(align)><bdi>\(title)</bdi></th>"
        }
        return "<thead><tr>\(cells)\("<td></td>", if: hasMore)</tr></thead>\n"
    }

    /// Returns a row with a first cell, the texts of the other columns, and a last cell.
    func tableRow(_ row: Row, _ first: HTML, of section: Section, _ count: Int, _ last: HTML?) -> HTML {
        let texts = row.columns
        let cells = HTML.joined(1..<max(count, 1)) { column in
            let align: HTML? = section.isTrailing(column) ? " class=\"end\"" : nil
            return "<td\(align)><bdi>\(column < texts.count ? texts[column] : "")</bdi></td>"
        }
        return "<tr class=\"row\(row.tone?.name)\" data-key=\"\(id: row.id)\">\(first)\(cells)\(last)</tr>\n"
    }

    /// Returns the first cell of a row, which has its title.
    ///
    /// - Parameter plot: The drawing of a chart below the title.
    func rowHead(_ row: Row, isEnd: Bool, plot: HTML? = nil) -> HTML {
        let title: HTML = "<bdi class=\"title\">\(row.title)</bdi>"
        let pick: HTML =
            row.isSelectable
            ? "<button class=\"pick\" name=\"select\" value=\"\(id: row.id)\">\(title)</button>" : title
        return """
            <th scope="row"\(" class=\"end\"", if: isEnd)>\(row.image.map { image($0, "thumb") })\(row.check)\
            \(pick)\(row.mark)\(row.lines)\(plot)</th>
            """
    }
}

extension Section {
    /// The largest number of texts of a row.
    var columnCount: Int { rows.reduce(1) { max($0, 1 + ($1.detail == nil ? 0 : 1) + $1.cells.count) } }
}
