import ViperKit

/// The sections and the rows of lists.
extension ScreenPage {
    var sections: HTML {
        HTML.joined(screen.sections.enumerated()) { number, section in
            let label: HTML? = section.title == nil ? nil : " aria-labelledby=\"section\(number)\""
            return """
                <section class="section"\(label)>
                \(heading(section, number))\(content(section, number))\(more(section))\(lines(section.footer, "footer"))\
                </section>

                """
        }
    }

    private func heading(_ section: Section, _ number: Int) -> HTML {
        let title: HTML? = section.title.map { "<h2 id=\"section\(number)\" dir=\"auto\">\($0)</h2>\n" }
        let fallback: HTML? = section.isKnown ? nil : notice(section.kind.rawValue)
        return "\(title)\(fallback)"
    }

    private func content(_ section: Section, _ number: Int) -> HTML? {
        if section.rows.isEmpty { return nil }
        switch section.kind {
        case .table: return table(section, number)
        case .barChart: return barChart(section, number)
        case .lineChart: return lineChart(section, number)
        // Rows with many columns are aligned.
        default: return section.rows.contains { !$0.cells.isEmpty } ? table(section, number) : list(section)
        }
    }

    private func list(_ section: Section) -> HTML {
        let isAligned = section.isTrailing(1)
        return "<ul class=\"rows\" role=\"list\">\n\(HTML.joined(section.rows) { item($0, isAligned) })</ul>\n"
    }

    private func item(_ row: Row, _ isAligned: Bool) -> HTML {
        let detail: HTML? = row.detail.map { "<bdi class=\"detail\(" end", if: isAligned)\">\($0)</bdi>" }
        let content: HTML = """
            \(row.image.map { image($0, "thumb") })\(row.check)<span class="texts"><bdi class="title">\(row.title)</bdi>\
            \(row.lines)</span>\(detail)\(row.mark)
            """
        if row.isSelectable {
            return """
                <li class="row\(row.tone?.name)"><button class="pick" name="select" value="\(id: row.id)">\
                \(content)</button>\(buttons(of: row))</li>

                """
        }
        return """
            <li class="row\(row.tone?.name)" data-key="\(id: row.id)"><div class="pick">\(content)</div>\
            \(buttons(of: row))</li>

            """
    }

    private func more(_ section: Section) -> HTML? {
        section.more.map { more in
            let status: HTML? = more.status.map { "<bdi class=\"status\">\($0)</bdi>" }
            return "<div class=\"more\">\(buttons([more.action]))\(status)</div>\n"
        }
    }

    /// Returns the notice about a kind of section or field that this version does not know.
    func notice(_ kind: String) -> HTML {
        "<p class=\"fallback\" dir=\"auto\">(\(kind): this version cannot show it)</p>\n"
    }
}

extension Section {
    var isKnown: Bool { [.rows, .table, .barChart, .lineChart].contains(kind) }

    /// True if the texts of a column are aligned to its end.
    func isTrailing(_ column: Int) -> Bool {
        columns.indices.contains(column) && columns[column].alignment == .trailing
    }
}

extension Row {
    var check: HTML? {
        isChecked.map { isChecked in
            let off: HTML = "<span class=\"check\" role=\"img\" aria-label=\"not checked\"></span>"
            return isChecked ? "<span class=\"check on\" role=\"img\" aria-label=\"checked\"></span>" : off
        }
    }

    /// The lines below the title.
    var lines: HTML? { text.map { "<span class=\"lines\" dir=\"auto\">\(lines: $0)</span>" } }

    var mark: HTML? { badge.map { "<bdi class=\"badge\">\($0)</bdi>" } }
}

extension Screen.Tone {
    /// The class of rows with this tone, after a space.
    var name: HTML {
        switch self {
        case .success: " success"
        case .warning: " warning"
        case .danger: " danger"
        case .muted: " muted"
        default: ""
        }
    }
}
