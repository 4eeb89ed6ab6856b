public import ViperKit

/// Shows a screen as lines of text, made in one piece so that it can be written at once.
public struct TextRenderer {
    private let style: TextStyle

    /// A renderer with a style.
    public init(style: TextStyle) { self.style = style }

    /// The screen. Details of rows stand in one column over all sections. Every line ends with a newline.
    public func render(_ screen: Screen) -> String {
        var text = style.bold(printable(screen.title)) + "\n"
        if let alert = screen.alert { add(alert, to: &text) }
        if let body = screen.text { text += printableLines(body) + "\n" }
        let rows = screen.sections.lazy.flatMap(\.rows)
        let width = rows.filter { $0.detail != nil }.map { displayWidth(printable($0.title)) }.max() ?? 0
        for section in screen.sections {
            if let title = section.title { text += style.bold(printable(title)) + "\n" }
            for row in section.rows { add(row, width: width, to: &text) }
        }
        if let empty = screen.empty { text += "  " + style.dim(printable(empty)) + "\n" }
        if let form = screen.form { add(form, to: &text) }
        add(screen.actions, to: &text)
        if screen.isLoading { text += style.dim("Loading …") + "\n" }
        return text
    }

    private func add(_ row: Row, width: Int, to text: inout String) {
        let title = printable(row.title)
        guard let detail = row.detail else { return text += "  \(title)\n" }
        text += "  \(padded(title, to: width))   \(style.dim(printable(detail)))\n"
    }

    private func add(_ alert: Alert, to text: inout String) {
        text += style.red("! \(printable(alert.title))") + "\n"
        if let message = alert.message { text += "  \(printable(message))\n" }
        add(alert.actions, to: &text)
    }

    private func add(_ form: Form, to text: inout String) {
        let width = form.fields.map { displayWidth(printable($0.label)) }.max() ?? 0
        for field in form.fields {
            text += "  \(padded(printable(field.label), to: width))   [\(printable(field.value))]"
            if let error = field.error { text += "  " + style.red("! \(printable(error))") }
            text += "\n"
        }
    }

    private func add(_ actions: [Action], to text: inout String) {
        for action in actions { text += "  [\(printable(action.id))] \(printable(action.title))\n" }
    }
}
