import ViperKit

// The frame: a header, the content, the actions and a line at the bottom.
extension Model {
    /// The number of lines of the parts around the content.
    private struct Layout {
        var actions: [[Int]]
        var hasGaps: Bool
        var height: Int
    }

    private var layout: Layout {
        // The box of a scene that only asks something has its actions.
        let isBox = scene.alert != nil && scene.screen.alert == nil
        let lines = size.rows >= 6 && !isBox ? actionLines : []
        // A small terminal has no room for empty lines.
        let hasGaps = size.rows >= 16
        let gaps = hasGaps ? 1 + (lines.isEmpty ? 0 : 1) : 0
        return Layout(actions: lines, hasGaps: hasGaps, height: max(1, size.rows - 2 - lines.count - gaps))
    }

    /// Tells the topmost scene how many lines it has.
    mutating func measure() {
        let height = layout.height
        if scene.height == height { return }
        let wasVisible = scene.isFocusVisible
        scene.height = height
        scene.fillHeight()
        if wasVisible { scene.reveal() }
    }

    func draw() -> Frame {
        var frame = Frame(lines: [header])
        let layout = layout
        if layout.hasGaps { frame.lines.append(Line()) }
        let backdrop = backdrop
        add(backdrop ?? scene, layout.height, isUsable: scene.alert == nil, to: &frame)
        if !layout.actions.isEmpty, layout.hasGaps { frame.lines.append(Line()) }
        let alert = scene.alert
        for line in layout.actions { addActions(line, isUsable: alert == nil, to: &frame) }
        frame.lines.append(status)
        frame.lines = Array(frame.lines.prefix(size.rows))
        if let alert { add(box(for: alert), to: &frame) }
        switch popup {
        case .help: add(helpBox, to: &frame)
        case .options(let menu), .actions(let menu): add(box(for: menu), to: &frame)
        case nil: break
        }
        frame.lines = frame.lines.map { $0.clipped(to: size.columns) }
        if popup != nil || alert != nil { frame.cursor = nil }
        if scene.filter?.isTyping == true, popup == nil {
            let column = min(size.columns - 1, CellText.width(filterPrompt))
            frame.cursor = Frame.Place(row: frame.lines.count - 1, column: column)
        }
        return frame
    }

    /// The scene below one that only asks something.
    private var backdrop: SceneModel? {
        guard scenes.count > 1, scene.alert != nil, scene.screen.alert == nil else { return nil }
        var below = scenes[scenes.count - 2]
        below.resize(to: size.columns)
        below.height = layout.height
        return below
    }

    private var header: Line {
        let titles = state.scenes.map { CellText.clean($0.title.isEmpty ? $0.route : $0.title) }
        var path = titles.isEmpty ? [CellText.clean(scene.screen.title)] : titles
        while path.count > 1, CellText.width(path.joined(separator: " › ")) + 2 > size.columns { path.removeFirst() }
        let above = path.count < titles.count ? ["…"] + path.dropLast() : Array(path.dropLast())
        var line = Line(" ", .reversed)
        line.add(above.map { $0 + " › " }.joined(), .reversed)
        line.add(CellText.clipped(path.last ?? "", to: max(0, size.columns - line.width - 1)), Style.bold.reversed)
        line.pad(to: size.columns, .reversed)
        return line.clipped(to: size.columns)
    }

    private func add(_ scene: SceneModel, _ height: Int, isUsable: Bool, to frame: inout Frame) {
        let first = frame.lines.count
        var (item, skipped) = (scene.top.item, scene.top.line)
        while item < scene.items.count, frame.lines.count < first + height {
            var lines = scene.lines(of: scene.items[item])
            let isFocused = isUsable && item == scene.index
            if isFocused, !scene.items[item].isField { lines[0] = marked(lines[0]) }
            let start = frame.lines.count - skipped
            if isFocused, let cursor = scene.cursor, start + cursor.row < first + height, start + cursor.row >= first {
                frame.cursor = Frame.Place(row: start + cursor.row, column: cursor.column)
            } else if isFocused, scene.items[item].isField, !lines.isEmpty, scene.cursor == nil {
                lines[0] = marked(lines[0])
            }
            for line in lines.dropFirst(skipped) where frame.lines.count < first + height {
                if isUsable, let target = scene.target(of: scene.items[item]) {
                    frame.hits.append(.init(row: frame.lines.count, columns: 0..<size.columns, target: target))
                }
                frame.lines.append(line)
            }
            (item, skipped) = (item + 1, 0)
        }
        while frame.lines.count < first + height { frame.lines.append(Line()) }
    }

    /// Marks the line with the focus, also where reversed text is not visible.
    private func marked(_ line: Line) -> Line {
        var marked = Line("› ", .bold)
        var isMargin = true
        for span in line.spans {
            let text = isMargin ? String(span.text.dropFirst(2)) : span.text
            isMargin = false
            marked.add(text, span.style)
        }
        marked.pad(to: size.columns)
        return marked.reversed
    }

    // MARK: Actions

    /// The indices of the actions on each line.
    private var actionLines: [[Int]] {
        var (lines, used) = ([[Int]](), 0)
        for (index, action) in scene.screen.actions.enumerated() {
            let width = CellText.width(scene.text(of: action)) + 1
            if lines.isEmpty || used + width > size.columns - 3 {
                // The content needs room, too.
                if lines.count >= max(1, size.rows / 4) { break }
                lines.append([])
                used = 0
            }
            lines[lines.count - 1].append(index)
            used += width
        }
        return lines
    }

    private func addActions(_ indices: [Int], isUsable: Bool, to frame: inout Frame) {
        var line = Line("  ")
        for index in indices {
            let action = scene.screen.actions[index]
            let start = line.width
            let isFocused = isUsable && scene.focus == .action(action.id)
            let style = isUsable ? scene.style(of: action) : .dim
            line.add(scene.text(of: action), isFocused ? style.reversed : style)
            if isUsable {
                frame.hits.append(
                    .init(row: frame.lines.count, columns: start..<line.width, target: .action(action.id)))
            }
            line.add(" ")
        }
        frame.lines.append(line.clipped(to: size.columns))
    }

    // MARK: The bottom line

    private var filterPrompt: String { " Filter: " + CellText.clean(scene.filter?.text ?? "") }

    private var status: Line {
        var line = Line(" ")
        let (text, style) = statusText
        let right = position
        let room = size.columns - 2 - (right.isEmpty ? 0 : CellText.width(right) + 1)
        line.add(CellText.clipped(text, to: room), style)
        if !right.isEmpty, CellText.width(right) + 2 <= size.columns {
            line.pad(to: size.columns - 1 - CellText.width(right))
            line.add(right, .dim)
        }
        return line.clipped(to: size.columns)
    }

    private var statusText: (String, Style) {
        let screen = scene.screen
        if scene.filter?.isTyping == true { return (String(filterPrompt.dropFirst()), .plain) }
        if let note {
            return (CellText.clean(note.text), note.isError ? .danger : .warning)
        }
        if let progress = screen.progress { return (text(of: progress), .plain) }
        if isWorking, turn > 1 { return ("\(Self.spinner[turn % Self.spinner.count]) Loading …", .plain) }
        if let message = screen.message { return ("✓ " + CellText.clean(message), .success) }
        if let filter = scene.filter { return ("Filter: \(CellText.clean(filter.text))  Esc shows all", .dim) }
        return (hints, .dim)
    }

    private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".map(String.init)

    private func text(of progress: Screen.Progress) -> String {
        let label = progress.text.map { CellText.clean($0) } ?? "Loading"
        guard let fraction = progress.fraction else {
            return "\(Self.spinner[turn % Self.spinner.count]) \(label) …"
        }
        let (width, percent) = (10, Int((fraction * 100).rounded(.down)))
        let done = Int((fraction * Double(width)).rounded(.down))
        let bar = String(repeating: "█", count: done) + String(repeating: "░", count: width - done)
        return "\(bar) \(percent) %  \(label)"
    }

    private var hints: String {
        var hints: [String] = []
        switch scene.focus {
        case .row:
            if scene.row?.isSelectable == true { hints.append("Enter opens") }
            if scene.row?.actions.isEmpty == false { hints.append("→ actions") }
        case .field:
            switch scene.field?.kind {
            case .toggle?: hints.append("Space switches")
            case .choice?, .choices?: hints.append("Enter chooses")
            case .multiline?: hints += ["Tab goes on", "Ctrl-O editor"]
            default: hints.append("Tab goes on")
            }
        case .action, .emptyAction, .more: hints.append("Enter presses")
        case .popup, .nothing, nil: break
        }
        let isTyping = scene.field?.kind.isTyped == true
        if scene.alert != nil { hints.append("Esc leaves") }
        if scene.rowCounts.all > 1, !isTyping, scene.alert == nil { hints.append("/ filters") }
        if state.scenes.count > 1, scene.alert == nil { hints.append("Esc back") }
        if !isTyping { hints.append("q ends") }
        let help = isTyping ? "F1 keys" : "? keys"
        let room = size.columns - 2 - (position.isEmpty ? 0 : CellText.width(position) + 1)
        // The key that shows all keys is the one that is always needed.
        while !hints.isEmpty, CellText.width((hints + [help]).joined(separator: "  ")) > room { hints.removeLast() }
        return (hints + [help]).joined(separator: "  ")
    }

    /// The number of the row with the focus, if not all rows are visible.
    private var position: String {
        let (all, shown) = scene.rowCounts
        if scene.filter?.matches != nil { return "\(Self.grouped(shown)) of \(Self.grouped(all))" }
        guard all >= scene.height, let index = scene.index, case .row(let section, let row) = scene.items[index] else {
            return ""
        }
        let before = scene.screen.sections[..<section].reduce(0) { $0 + $1.rows.count }
        return "\(Self.grouped(before + row + 1)) of \(Self.grouped(all))"
    }

    private static func grouped(_ number: Int) -> String {
        var (text, digits) = ("", Array("\(number)"))
        while digits.count > 3 {
            text = "," + String(digits.suffix(3)) + text
            digits.removeLast(3)
        }
        return String(digits) + text
    }
}
