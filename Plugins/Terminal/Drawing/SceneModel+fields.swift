import ViperKit

// Fields.
extension SceneModel {
    /// The number of columns of the labels.
    private var labelWidth: Int {
        let longest = screen.form?.fields.map { CellText.width(label(of: $0)) }.max() ?? 0
        return min(longest, max(4, room / 2 - 2))
    }

    private var fieldColumn: Int { 2 + labelWidth + 2 }

    /// The number of columns for the text of a field.
    var fieldWidth: Int { max(4, min(60, columns - fieldColumn - 4)) }

    private func label(of field: Field) -> String { CellText.clean(field.label) + (field.isRequired ? " *" : "") }

    /// The number of lines that a field with several lines shows.
    private static let tallest = 8

    func lines(of field: Field) -> [Line] {
        var lines = boxes(of: field)
        var first = Line("  ")
        first.add(CellText.fitted(label(of: field), to: labelWidth), self.field?.id == field.id ? .bold : .plain)
        first.add("  ")
        let blank = Line(String(repeating: " ", count: fieldColumn))
        lines = lines.enumerated().map { index, box in
            var line = index == 0 ? first : blank
            for span in box.spans { line.add(span.text, span.style) }
            return line.clipped(to: columns)
        }
        func add(_ text: String, _ style: Style) {
            for wrapped in CellText.wrapped(text, to: max(1, columns - fieldColumn - 2), limit: 10) {
                var line = blank
                line.add(wrapped, style)
                lines.append(line.clipped(to: columns))
            }
        }
        if let error = field.error { add("! \(error)", .danger) }
        if !field.kind.isKnown { add("(\(field.kind.rawValue): this version cannot show it)", .dim) }
        if let help = field.help { add(help, .dim) }
        return lines
    }

    /// Returns the part of a field that contains its text.
    private func boxes(of field: Field) -> [Line] {
        let text = text(of: field)
        switch field.kind {
        case .toggle: return [Line(text == "true" ? "[x]" : "[ ]")]
        case .choice, .choices:
            let chosen = text.split(separator: ",").map(String.init)
            let titles = field.options.filter { chosen.contains($0.id) }.map { CellText.clean($0.title) }
            let shown = titles.isEmpty ? CellText.clean(field.placeholder ?? "choose") : titles.joined(separator: ", ")
            return [box(CellText.fitted(shown, to: fieldWidth - 2) + " ▾", titles.isEmpty ? .dim : .plain)]
        case .multiline: return multilineBoxes(of: field, text)
        default: break
        }
        if text.isEmpty, !(field.kind.isSecret && filledSecrets.contains(field.id)) {
            let placeholder = CellText.fitted(CellText.clean(field.placeholder ?? ""), to: fieldWidth)
            return [box(placeholder, .dim)]
        }
        if field.kind.isSecret {
            // The number of dots does not reveal the length, except while the user types.
            let count = self.field?.id == field.id ? edits[field.id]?.characters.count ?? 8 : 8
            return [box(CellText.fitted(String(repeating: "•", count: min(count, fieldWidth)), to: fieldWidth), .plain)]
        }
        guard self.field?.id == field.id else {
            return [box(CellText.fitted(CellText.clean(text), to: fieldWidth), .plain)]
        }
        let edit = edits[field.id] ?? TextEdit(text)
        let start = firstVisible(of: edit)
        return [box(CellText.fitted(CellText.clean(String(edit.characters[start...])), to: fieldWidth), .plain)]
    }

    private func box(_ text: String, _ style: Style) -> Line {
        var line = Line("[", .dim)
        line.add(text, style)
        line.add("]", .dim)
        return line
    }

    /// The first character of a line that is visible, so that the cursor is visible, too.
    private func firstVisible(of edit: TextEdit) -> Int {
        var (start, used) = (edit.cursor, 0)
        while start > 0 {
            used += edit.columns(start - 1..<start)
            if used > fieldWidth - 1 { break }
            start -= 1
        }
        return start
    }

    private func multilineBoxes(of field: Field, _ text: String) -> [Line] {
        let edit = edits[field.id] ?? TextEdit(text)
        let lines = edit.lines(width: fieldWidth)
        let start = firstVisibleLine(of: edit, lines, isFocused: self.field?.id == field.id)
        let shown = lines[start..<min(lines.count, start + Self.tallest)]
        if text.isEmpty, let placeholder = field.placeholder {
            return [box(CellText.fitted(CellText.clean(placeholder), to: fieldWidth), .dim), emptyBox, emptyBox]
        }
        let boxes = shown.map { range in
            box(CellText.fitted(CellText.clean(String(edit.characters[range])), to: fieldWidth), .plain)
        }
        return boxes + Array(repeating: emptyBox, count: max(0, 3 - boxes.count))
    }

    private var emptyBox: Line { box(String(repeating: " ", count: fieldWidth), .plain) }

    private func firstVisibleLine(of edit: TextEdit, _ lines: [Range<Int>], isFocused: Bool) -> Int {
        isFocused ? max(0, edit.place(in: lines).line - Self.tallest + 1) : 0
    }

    /// The place of the cursor in the field with the focus, from the field's first line on. Nil if it has no cursor.
    var cursor: Frame.Place? {
        guard let field, field.kind.isTyped else { return nil }
        let edit = edits[field.id] ?? TextEdit(field.value)
        if field.kind == .multiline {
            let lines = edit.lines(width: fieldWidth)
            let (line, column) = edit.place(in: lines)
            let start = firstVisibleLine(of: edit, lines, isFocused: true)
            return Frame.Place(row: line - start, column: fieldColumn + 1 + min(column, fieldWidth - 1))
        }
        let columns =
            field.kind.isSecret ? edit.cursor : edit.columns(firstVisible(of: edit)..<edit.cursor)
        return Frame.Place(row: 0, column: fieldColumn + 1 + min(columns, fieldWidth - 1))
    }
}

extension Field.Kind {
    /// True if this version knows the kind.
    var isKnown: Bool {
        [.text, .number, .multiline, .date, .toggle, .choice, .choices, .search, .password].contains(self)
    }
}
