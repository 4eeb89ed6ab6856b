import HostSystem
package import ViperKit

/// A renderer that converts a screen to lines of text. It returns a single string, so that the caller can write the
/// screen in one call.
package struct TextRenderer {
    private let style: TextStyle
    private let isNumbered: Bool

    /// Creates a renderer.
    ///
    /// - Parameter isNumbered: True to show a number before each of the screen's ``ViperKit/Screen/choices``.
    package init(style: TextStyle, isNumbered: Bool = false) { (self.style, self.isNumbered) = (style, isNumbered) }

    /// Returns a screen as text. The details of all sections are aligned in one column. Each line ends with a newline.
    package func render(_ screen: Screen) -> String {
        let rows = screen.sections.lazy.flatMap(\.rows)
        let (rowCount, alertCount) = (screen.ids(of: .row).count, screen.ids(of: .alertAction).count)
        let last = isNumbered ? screen.choices.count : 0

        var text = style.bold(printable(screen.title)) + "\n"
        if let alert = screen.alert { add(alert, Margin(after: rowCount, to: last), to: &text) }
        if let body = screen.text { text += printableLines(body) + "\n" }
        let width = rows.filter { $0.detail != nil }.map { displayWidth(printable($0.title)) }.max() ?? 0
        var margin = Margin(after: 0, to: last)
        for section in screen.sections {
            if let title = section.title { text += style.bold(printable(title)) + "\n" }
            if let fallback = section.fallback { text += "  " + style.dim(fallback) + "\n" }
            for row in section.rows { add(row, width: width, margin.next(), to: &text) }
        }
        // A section of an unknown kind may have content that is not shown.
        if let empty = screen.emptyText, screen.sections.allSatisfy({ $0.rows.isEmpty && $0.fallback == nil }) {
            text += "  " + style.dim(printable(empty)) + "\n"
        }
        if let form = screen.form { add(form, to: &text) }
        add(screen.actions, Margin(after: rowCount + alertCount, to: last), to: &text)
        if screen.isLoading { text += style.dim("Loading …") + "\n" }
        return text
    }

    private func add(_ row: Row, width: Int, _ margin: String, to text: inout String) {
        let title = printable(row.title)
        guard let detail = row.detail else { return text += "\(margin)\(title)\n" }
        text += "\(margin)\(padded(title, to: width))   \(style.dim(printable(detail)))\n"
    }

    private func add(_ alert: Alert, _ margin: Margin, to text: inout String) {
        text += style.red("! \(printable(alert.title))") + "\n"
        if let message = alert.message {
            for line in printableLines(message).split(separator: "\n", omittingEmptySubsequences: false) {
                text += "  \(line)\n"
            }
        }
        add(alert.actions, margin, to: &text)
    }

    private func add(_ form: Form, to text: inout String) {
        let width = form.fields.map { displayWidth(printable($0.label)) }.max() ?? 0
        for field in form.fields {
            text += "  \(padded(printable(field.label), to: width))   [\(field.visibleValue)]"
            if let fallback = field.fallback { text += "  " + style.dim(fallback) }
            if let error = field.error { text += "  " + style.red("! \(printable(error))") }
            text += "\n"
        }
    }

    private func add(_ actions: [Action], _ margin: Margin, to text: inout String) {
        var margin = margin
        for action in actions { text += "\(margin.next())[\(printable(action.id))] \(printable(action.title))\n" }
    }
}

/// The margin before each row or action: two spaces, followed by the number if numbers are shown.
private struct Margin {
    private var number: Int
    private let width: Int

    /// Creates a margin.
    ///
    /// - Parameters:
    ///   - number: The last number that was used, or 0.
    ///   - last: The largest number on the screen, or 0 if the screen shows no numbers.
    init(after number: Int, to last: Int) { (self.number, width) = (number, last == 0 ? 0 : "\(last)".utf8.count) }

    mutating func next() -> String {
        if width == 0 { return "  " }
        number += 1
        let digits = "\(number)"
        return "  \(String(repeating: " ", count: width - digits.utf8.count))\(digits)  "
    }
}
