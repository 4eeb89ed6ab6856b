import ViperKit

// The lines of items.
extension SceneModel {
    func height(of item: Int) -> Int { lines(of: items[item]).count }

    /// The number of columns between the margins.
    var room: Int { max(1, columns - 4) }

    /// Returns the lines of an item, without marking the focus.
    func lines(of item: Item) -> [Line] {
        switch item {
        case .text(let line): return [margin(textLines[line])]
        case .image: return [margin("(\(CellText.clean(screen.image?.alternative ?? "")))", .dim)]
        case .field(let index): return screen.form.map { lines(of: $0.fields[index]) } ?? [Line()]
        case .heading(let section): return heading(of: screen.sections[section])
        case .columns(let section): return [heads(of: section)]
        case .plot(let section): return plot(section)
        case .row(let section, let row): return lines(ofRow: row, in: section)
        case .more(let section): return [screen.sections[section].more.map { line(of: $0) } ?? Line()]
        case .footer(let section):
            let footer = screen.sections[section].footer ?? ""
            return CellText.wrapped(footer, to: room, limit: 100).map { margin($0, .dim) }
        case .empty: return CellText.wrapped(screen.emptyText ?? "", to: room, limit: 100).map { margin($0, .dim) }
        case .emptyAction: return [screen.emptyAction.map { margin(text(of: $0), style(of: $0)) } ?? Line()]
        case .blank: return [Line()]
        }
    }

    func margin(_ text: String, _ style: Style = .plain) -> Line {
        var line = Line("  ")
        line.add(text, style)
        return line.clipped(to: columns)
    }

    private func heading(of section: Section) -> [Line] {
        var lines: [Line] = []
        if let title = section.title { lines.append(margin(CellText.clean(title), .heading)) }
        if !section.isKnown {
            lines.append(margin("(\(CellText.clean(section.kind.rawValue)): this version cannot show it)", .dim))
        }
        return lines
    }

    private func line(of more: Section.More) -> Line {
        var line = margin(text(of: more.action), style(of: more.action))
        if let status = more.status { line.add("  " + CellText.clean(status), .dim) }
        return line.clipped(to: columns)
    }

    /// Returns the text of an action, with its key.
    func text(of action: Action) -> String {
        let key = action.key.map { CellText.clean($0) + ": " } ?? ""
        let reason = action.disabledReason.map { " (\(CellText.clean($0)))" } ?? ""
        return "[ \(key)\(CellText.clean(action.title)) ]" + reason
    }

    func style(of action: Action) -> Style {
        if !action.isEnabled { return .dim }
        switch action.role {
        case .destructive: return .danger
        case .default: return .bold
        default: return .plain
        }
    }

    // MARK: Rows

    private func lines(ofRow index: Int, in place: Int) -> [Line] {
        let section = screen.sections[place]
        let row = section.rows[index]
        if section.kind == .barChart, !row.numbers.isEmpty { return bars(of: row, place) }
        let badge = row.badge.map { "  (\(CellText.clean($0)))" } ?? ""
        let widths = ColumnWidths.fitted(widths[place], into: max(1, room - CellText.width(badge)))
        let mark = row.isChecked.map { $0 ? "[x] " : "[ ] " } ?? ""
        var line = Line("  ")
        /// The lines below the first one that continue its last text.
        var rest: [Line] = []
        let texts = row.columns
        for (column, text) in texts.enumerated() {
            if column > 0 { line.add("  ") }
            let clean = (column == 0 ? mark : "") + CellText.clean(text)
            let width = widths.indices.contains(column) ? widths[column] : 0
            let style = column == 0 ? Style(row.tone) : Style(ofDetail: row.tone)
            if column < texts.count - 1 || section.isTrailing(column) || !section.isList {
                line.add(CellText.fitted(clean, to: width, isTrailing: section.isTrailing(column)), style)
                continue
            }
            let start = line.width
            let room = max(1, columns - 2 - start - CellText.width(badge))
            let parts = CellText.wrapped(clean, to: room, limit: Self.tallestText)
            line.add(parts[0], style)
            for part in parts.dropFirst() {
                var below = Line(String(repeating: " ", count: start))
                below.add(part, style)
                rest.append(below.clipped(to: columns))
            }
        }
        line.add(badge, .warning)
        if let image = row.image, !image.alternative.isEmpty {
            line.add("  (\(CellText.clean(image.alternative)))", .dim)
        }
        let below = row.text.map { CellText.wrapped($0, to: max(1, room - 2), limit: 12) } ?? []
        return [line.clipped(to: columns)] + rest + below.map { margin("  " + $0, .dim) }
    }

    /// The number of lines that the last text of a row in a list takes.
    private static let tallestText = 4

    private func heads(of place: Int) -> Line {
        let section = screen.sections[place]
        if section.kind == .barChart { return legend(of: section) }
        let widths = ColumnWidths.fitted(widths[place], into: room)
        var line = Line("  ")
        for (column, head) in section.columns.enumerated() {
            if column > 0 { line.add("  ") }
            let width = widths.indices.contains(column) ? widths[column] : 0
            let title = CellText.fitted(CellText.clean(head.title), to: width, isTrailing: section.isTrailing(column))
            line.add(title, Style(isDim: true, isUnderlined: true))
        }
        return line.clipped(to: columns)
    }
}

extension Style {
    init(_ tone: Screen.Tone?) {
        switch tone {
        case .success: self = .success
        case .warning: self = .warning
        case .danger: self = .danger
        case .muted: self = .dim
        default: self = .plain
        }
    }

    /// The style of a row's further columns.
    init(ofDetail tone: Screen.Tone?) { self = tone == nil ? .dim : Style(tone) }
}
