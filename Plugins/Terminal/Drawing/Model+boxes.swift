import ViperKit

// Boxes above the content.
extension Model {
    /// A box with lines, of which some can be clicked.
    struct Box {
        var title: String
        var lines: [Line] = []
        /// The parts that can be clicked, with rows counted from the first line of the box's content.
        var hits: [Frame.Hit] = []
        var style = Style.plain
        /// The number of columns inside the frame. Nil for as many as the lines need.
        var width: Int?
    }

    private var widest: Int { max(1, min(64, size.columns - 4)) }
    private var tallest: Int { max(1, size.rows - 4) }

    func add(_ box: Box, to frame: inout Frame) {
        var lines = Array(box.lines.prefix(tallest))
        if lines.count < box.lines.count { lines[lines.count - 1] = Line("…", .dim) }
        let content = max(lines.map(\.width).max() ?? 0, CellText.width(box.title) + 2)
        let inside = min(widest, box.width ?? content)
        let left = max(0, (size.columns - inside - 4) / 2)
        let top = max(0, min((frame.lines.count - lines.count - 2) / 2, frame.lines.count - lines.count - 2))
        let title = CellText.clipped(box.title, to: inside - 1)
        var head = Line("┌─", box.style)
        if !title.isEmpty { head.add(" \(title) ", Style(isBold: true, colour: box.style.colour)) }
        head.add(String(repeating: "─", count: max(0, inside + 3 - head.width)) + "┐", box.style)
        let foot = Line("└" + String(repeating: "─", count: inside + 2) + "┘", box.style)
        let framed = lines.map { line in
            var framed = Line("│ ", box.style)
            for span in line.clipped(to: inside).spans { framed.add(span.text, span.style) }
            framed.pad(to: inside + 2)
            framed.add(" │", box.style)
            return framed
        }
        for (offset, line) in ([head] + framed + [foot]).enumerated() where frame.lines.indices.contains(top + offset) {
            frame.lines[top + offset] = frame.lines[top + offset].replacing(from: left, with: line)
            frame.hits.append(
                .init(row: top + offset, columns: left..<left + line.width, target: .nothing))
        }
        for hit in box.hits where hit.row < lines.count {
            let columns = hit.columns.lowerBound + left + 2..<hit.columns.upperBound + left + 2
            frame.hits.append(.init(row: hit.row + top + 1, columns: columns, target: hit.target))
        }
    }

    func box(for alert: Alert) -> Box {
        let isDangerous = alert.actions.contains { $0.role == .destructive }
        var box = Box(
            title: CellText.clipped(CellText.clean(alert.title), to: widest - 2),
            style: isDangerous ? .danger : .warning)
        // A long title stands above the message.
        if CellText.width(CellText.clean(alert.title)) > widest - 2 {
            box.title = ""
            box.lines += CellText.wrapped(alert.title, to: widest, limit: 10).map { Line($0, .bold) }
        }
        let message = alert.message.map { CellText.wrapped($0, to: widest, limit: max(1, tallest - 3)) } ?? []
        box.lines += message.map { Line($0) }
        if !box.lines.isEmpty { box.lines.append(Line()) }
        var line = Line()
        for action in alert.actions {
            let text = scene.text(of: action)
            if line.width > 0, line.width + CellText.width(text) > widest {
                box.lines.append(line)
                line = Line()
            }
            let start = line.width
            let style = scene.style(of: action)
            line.add(CellText.clipped(text, to: widest), scene.focus == .action(action.id) ? style.reversed : style)
            box.hits.append(
                .init(row: box.lines.count, columns: start..<line.width, target: .action(action.id)))
            line.add(" ")
        }
        box.lines.append(line)
        return box
    }

    func box(for menu: Popup.Menu) -> Box {
        var box = Box(title: CellText.clean(menu.title))
        let start = max(0, min(menu.index - tallest / 2, menu.entries.count - tallest))
        for (index, entry) in menu.entries.enumerated().dropFirst(start).prefix(tallest) {
            let mark = menu.isMultiple ? entry.isChosen ? "[x] " : "[ ] " : index == menu.index ? "› " : "  "
            let key = entry.key.map { CellText.clean($0) + ": " } ?? ""
            let reason = entry.disabledReason.map { " (\(CellText.clean($0)))" } ?? ""
            let style: Style = entry.disabledReason != nil ? .dim : entry.isDestructive ? .danger : .plain
            var line = Line(mark + key + CellText.clean(entry.title) + reason, style)
            line = line.clipped(to: widest)
            box.hits.append(.init(row: box.lines.count, columns: 0..<widest, target: .popup(index)))
            box.lines.append(index == menu.index ? line.reversed : line)
        }
        if menu.isMultiple { box.title += " (Space, then Enter)" }
        return box
    }

    private static let keys = [
        ("↑ ↓", "move"), ("PgUp PgDn", "move a page"), ("Home End", "first, last"),
        ("Tab Shift-Tab", "next field or action"), ("Enter", "select or press"), ("→ Space", "actions of the row"),
        ("Esc", "back"),
        ("/", "filter or search"), ("Ctrl-O", "edit in $EDITOR"),
        ("Ctrl-A Ctrl-E", "start, end of the text"), ("Ctrl-U Ctrl-W", "delete to the start, a word"),
        ("Ctrl-L", "draw again"), ("? F1", "these keys"), ("q Ctrl-C", "end"),
    ]

    /// The keys of the screen's own actions, and those of every screen.
    var helpBox: Box {
        var box = Box(title: "Keys")
        let own = (scene.actions + (scene.row?.actions ?? [])).compactMap { action in
            action.key.map { (CellText.clean($0), CellText.clean(action.title)) }
        }
        for (key, meaning) in own + Self.keys {
            var line = Line(CellText.fitted(key, to: 13), .bold)
            line.add("  " + meaning)
            box.lines.append(line.clipped(to: widest))
        }
        return box
    }
}

extension Line {
    /// Returns the line with its columns from one on replaced by another line.
    func replacing(from column: Int, with other: Line) -> Line {
        var line = clippedExactly(to: column)
        for span in other.spans { line.add(span.text, span.style) }
        for span in dropping(column + other.width).spans { line.add(span.text, span.style) }
        return line
    }

    /// The first columns, without an ellipsis.
    private func clippedExactly(to columns: Int) -> Line {
        var line = Line()
        for span in spans {
            var text = ""
            var used = line.width
            for character in span.text {
                let width = CellText.width(character)
                if used + width > columns { break }
                text.append(character)
                used += width
            }
            line.add(text, span.style)
            if used < columns, text.count < span.text.count { break }
        }
        line.pad(to: columns)
        return line
    }

    /// The columns behind the first ones.
    private func dropping(_ columns: Int) -> Line {
        var (line, passed) = (Line(), 0)
        for span in spans {
            var text = ""
            for character in span.text {
                let width = CellText.width(character)
                if passed >= columns {
                    text.append(character)
                } else if passed + width > columns {
                    // Half of a wide character is hidden.
                    text += String(repeating: " ", count: passed + width - columns)
                }
                passed += width
            }
            line.add(text, span.style)
        }
        return line
    }
}
