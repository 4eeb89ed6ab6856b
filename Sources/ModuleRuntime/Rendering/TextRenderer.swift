import HostSystem
package import ViperKit

/// A renderer that converts a screen to lines of text. It returns a single string, so that the caller can write the
/// screen in one call.
package struct TextRenderer {
    let style: TextStyle
    private let isNumbered: Bool

    /// Creates a renderer.
    ///
    /// - Parameter isNumbered: True to show a number before each of the screen's ``ViperKit/Screen/choices``.
    package init(style: TextStyle, isNumbered: Bool = false) { (self.style, self.isNumbered) = (style, isNumbered) }

    /// Returns a screen as text. The columns of all lists are aligned. Each line ends with a newline.
    package func render(_ screen: Screen) -> String {
        let rowCount = isNumbered ? screen.rows.count(where: \.isSelectable) : 0
        let alertCount = screen.alert?.actions.count(where: \.isEnabled) ?? 0
        let last = isNumbered ? screen.choices.count : 0
        var (rowMargin, actionMargin) = (Margin(after: 0, to: last), Margin(after: rowCount + alertCount, to: last))

        var text = style.bold(printable(screen.title)) + "\n"
        if let image = screen.image?.shown { text += "  " + style.dim(image) + "\n" }
        if let message = screen.message { text += style.green("✓ \(printable(message))") + "\n" }
        if let alert = screen.alert { add(alert, Margin(after: rowCount, to: last), to: &text) }
        if let body = screen.text { add(lines: body, after: "", to: &text) }
        let widths = widths(of: screen.sections.filter { !$0.isTable })
        for section in screen.sections {
            add(section, widths: section.isTable ? self.widths(of: [section]) : widths, &rowMargin, to: &text)
            if let more = section.more { add(more, &actionMargin, to: &text) }
            if let footer = section.footer { add(lines: footer, to: &text, style.dim) }
        }
        if screen.isEmpty {
            if let empty = screen.emptyText { text += "  " + style.dim(printable(empty)) + "\n" }
            if let action = screen.emptyAction { add([action], &actionMargin, to: &text) }
        }
        if let form = screen.form { add(form, to: &text) }
        add(screen.actions, &actionMargin, to: &text)
        if let progress = screen.progress {
            text += style.dim(progress.shown) + "\n"
        } else if screen.isLoading {
            text += style.dim("Loading …") + "\n"
        }
        return text
    }

    private func add(_ alert: Alert, _ margin: Margin, to text: inout String) {
        text += style.red("! \(printable(alert.title))") + "\n"
        if let message = alert.message { add(lines: message, to: &text) }
        var margin = margin
        add(alert.actions, &margin, to: &text)
    }

    private func add(_ actions: [Action], _ margin: inout Margin, to text: inout String) {
        for action in actions { text += margin.next(isNumbered: action.isEnabled) + shown(action) + "\n" }
    }

    private func add(_ more: Section.More, _ margin: inout Margin, to text: inout String) {
        let status = more.status.map { "  " + style.dim(printable($0)) } ?? ""
        text += margin.next(isNumbered: more.action.isEnabled) + shown(more.action) + status + "\n"
    }

    /// Returns an action with its ID, by which a user presses it.
    func shown(_ action: Action) -> String {
        let text = "[\(printable(action.id))] \(printable(action.title))"
        if let reason = action.disabledReason { return style.dim("\(text) (\(printable(reason)))") }
        return action.role == .destructive ? style.red(text) : text
    }

    /// Adds each line of a text after a margin.
    func add(
        lines: String, after margin: String = "  ", to text: inout String, _ styled: (String) -> String = { $0 }
    ) {
        for line in printableLines(lines).split(separator: "\n", omittingEmptySubsequences: false) {
            text += margin + styled(String(line)) + "\n"
        }
    }
}

/// The margin before each row or action: two spaces, followed by the number if numbers are shown.
struct Margin {
    private var number: Int
    private let width: Int

    /// Creates a margin.
    ///
    /// - Parameters:
    ///   - number: The last number that was used, or 0.
    ///   - last: The largest number on the screen, or 0 if the screen shows no numbers.
    init(after number: Int, to last: Int) { (self.number, width) = (number, last == 0 ? 0 : "\(last)".utf8.count) }

    /// The margin of a line that continues a row.
    var blank: String { width == 0 ? "  " : String(repeating: " ", count: width + 4) }

    /// Returns the next margin.
    ///
    /// - Parameter isNumbered: False for an element that cannot be chosen.
    mutating func next(isNumbered: Bool = true) -> String {
        if width == 0 || !isNumbered { return blank }
        number += 1
        let digits = "\(number)"
        return "  \(String(repeating: " ", count: width - digits.utf8.count))\(digits)  "
    }
}

extension Screen.Image {
    /// The text in place of the image. Nil if the image only decorates.
    var shown: String? { alternative.isEmpty ? nil : "(\(printable(alternative)))" }
}

extension Screen.Progress {
    /// The progress as text, such as `Reading people 60 % …`.
    package var shown: String {
        let percent = fraction.map { " \(Int(($0 * 100).rounded(.down))) %" } ?? ""
        return "\(text.map { printable($0) } ?? "Loading")\(percent) …"
    }
}
