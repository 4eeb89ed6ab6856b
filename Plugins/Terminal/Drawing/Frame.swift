/// The look of a text.
struct Style: Equatable {
    enum Colour: Int32 { case red = 1, green, yellow, blue, magenta, cyan }

    var isBold = false
    var isDim = false
    var isReversed = false
    var isUnderlined = false
    /// True for a drawing, which looks the same on a reversed line.
    var isDrawing = false
    var colour: Colour?

    static let plain = Style()
    static let bold = Style(isBold: true)
    static let dim = Style(isDim: true)
    static let heading = Style(isBold: true, colour: .cyan)
    static let danger = Style(colour: .red)
    static let success = Style(colour: .green)
    static let warning = Style(colour: .yellow)
    static let reversed = Style(isReversed: true)

    var reversed: Style {
        var style = self
        // A dim text on a bright ground is hard to read.
        (style.isReversed, style.isDim) = (true, false)
        return style
    }
}

/// A line of a frame, as texts with their looks.
struct Line: Equatable {
    struct Span: Equatable {
        var text: String
        var style: Style
    }

    private(set) var spans: [Span] = []
    /// The number of columns.
    private(set) var width = 0

    init() {}

    /// Creates a line from a clean text.
    init(_ text: String, _ style: Style = .plain) { add(text, style) }

    /// Adds a clean text.
    mutating func add(_ text: String, _ style: Style = .plain) {
        if text.isEmpty { return }
        spans.append(Span(text: text, style: style))
        width += CellText.width(text)
    }

    /// Adds spaces until the line has a number of columns.
    mutating func pad(to columns: Int, _ style: Style = .plain) {
        if width < columns { add(String(repeating: " ", count: columns - width), style) }
    }

    /// Returns the part of the line that fits into a number of columns.
    func clipped(to columns: Int) -> Line {
        if width <= columns { return self }
        var line = Line()
        for span in spans {
            let room = columns - line.width
            if room <= 0 { break }
            line.add(CellText.clipped(span.text, to: room), span.style)
        }
        return line
    }

    /// Returns the line with all texts reversed.
    var reversed: Line {
        var line = self
        for index in line.spans.indices where !line.spans[index].style.isDrawing {
            line.spans[index].style = line.spans[index].style.reversed
        }
        return line
    }

    var text: String { spans.map(\.text).joined() }
}

/// The content of the terminal, line by line, with the places that the mouse can use.
struct Frame: Equatable {
    struct Hit: Equatable {
        var row: Int
        var columns: Range<Int>
        var target: Target
    }

    var lines: [Line]
    /// The place of the cursor. Nil to hide it.
    var cursor: Place?
    var hits: [Hit] = []

    struct Place: Equatable {
        var row: Int
        var column: Int
    }

    /// Returns the target at a place. Later targets cover earlier ones.
    func target(row: Int, column: Int) -> Target? {
        hits.last { $0.row == row && $0.columns.contains(column) }?.target
    }
}
