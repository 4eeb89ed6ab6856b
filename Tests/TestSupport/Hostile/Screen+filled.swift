package import ViperKit

extension Screen {
    /// Returns a screen with every part and every known kind, in which all texts are the same. The IDs are the text with
    /// a number, because they are unique.
    ///
    /// - Parameters:
    ///   - text: The text of the properties that are one line, and of the names of kinds, tones and roles.
    ///   - lines: The text of the properties that may have several lines. Nil for the same text.
    ///   - isEmpty: True for a screen without rows, which shows what it offers instead.
    package static func filled(with text: String, lines: String? = nil, isEmpty: Bool = false) -> Screen {
        Filling(text: text, lines: lines ?? text).screen(isEmpty: isEmpty)
    }

    /// Returns a screen with a few parts, for texts that are large.
    package static func sketched(with text: String) -> Screen {
        let filling = Filling(text: text, lines: text)
        var screen = Screen(title: text)
        screen.text = text
        screen.sections = [Section(title: text, rows: [filling.row(1)])]
        screen.form = Form(fields: [Field(id: "field", label: text, value: text, kind: .multiline)])
        return screen
    }
}

/// The text that a screen is filled with.
private struct Filling {
    let text: String
    let lines: String

    private static let kinds = ["rows", "table", "bar-chart", "line-chart"]
    private static let fields = [
        "text", "number", "multiline", "date", "toggle", "choice", "choices", "search", "password",
    ]

    private var image: Screen.Image { Screen.Image(path: text, alternative: text) }

    func screen(isEmpty: Bool) -> Screen {
        var screen = Screen(title: text)
        (screen.image, screen.text, screen.message) = (image, lines, text)
        if !isEmpty {
            screen.sections = (Self.kinds + [text]).enumerated().map { section($1, from: 10 * $0) }
        }
        (screen.emptyText, screen.emptyAction) = (text, action(90))
        screen.form = Form(fields: (Self.fields + [text]).enumerated().map { field($1, $0) })
        screen.actions = (0..<6).map { action($0) }
        screen.alert = Alert(title: text, message: lines, actions: (6..<8).map { action($0) })
        (screen.progress, screen.isLoading) = (Screen.Progress(fraction: 0.5, text: text), true)
        return screen
    }

    private func section(_ kind: String, from number: Int) -> Section {
        var section = Section(title: text, rows: (0..<6).map { row(number + $0) })
        (section.kind, section.footer) = (Section.Kind(rawValue: kind), lines)
        section.columns = [.leading, .trailing, .init(rawValue: text)].map { .init(text, alignment: $0) }
        section.more = Section.More(action(91 + number), status: text)
        return section
    }

    func row(_ number: Int) -> Row {
        var row = Row(id: "\(text) \(number)", title: text, detail: text)
        (row.cells, row.text, row.badge, row.image) = ([text], lines, text, image)
        row.tone = [nil, .success, .warning, .danger, .muted, .init(rawValue: text)][number % 6]
        row.isChecked = [nil, true, false][number % 3]
        row.isSelectable = number % 5 != 0
        row.numbers = [Double(number), -1, 0]
        row.actions = [action(0), action(1)]
        return row
    }

    private func field(_ kind: String, _ number: Int) -> Field {
        var field = Field(id: "\(text) \(number)", label: text, value: text, kind: .init(rawValue: kind))
        (field.error, field.help, field.placeholder) = (text, lines, text)
        field.isRequired = number % 2 == 0
        field.options = (0..<2).map { Field.Option(id: "\(text) \($0)", title: text) }
        return field
    }

    private func action(_ number: Int) -> Action {
        var action = Action(id: "\(text) \(number)", title: text)
        action.role = [nil, .default, .cancel, .destructive, .refresh, .init(rawValue: text)][number % 6]
        if number % 4 == 2 { action.disabledReason = text }
        action.key = text
        return action
    }
}
