private import CNcurses
import Glibc
import ViperKit

/// The terminal as ncurses draws on it. One thread creates and uses it.
final class Curses {
    private var terminal = cncurses_terminal()
    private let output: Int32

    /// Throws an error unless the terminal of this process can be drawn on.
    static func check() throws(ViperError) { if cncurses_can_draw() != 1 { throw failure("its type is unknown") } }

    private static func failure(_ cause: String) -> ViperError {
        ViperError(
            .terminalUnusable, operation: "cannot draw on", subject: variable("TERM") ?? "the terminal", cause: cause,
            fix: "set TERM to the type of your terminal, or use --plain")
    }

    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// True unless `NO_COLOR` is set (https://no-color.org).
    static var isColoured: Bool { variable("NO_COLOR")?.isEmpty ?? true }

    init(input: Int32, output: Int32) throws(ViperError) {
        self.output = output
        guard cncurses_begin(&terminal, input, output, Self.isColoured ? 1 : 0) == 1 else {
            throw Self.failure("ncurses cannot start")
        }
    }

    func end() { cncurses_end(&terminal) }

    /// Leaves the terminal to another program.
    func leave() { cncurses_leave(&terminal) }

    /// Draws again after another program has used the terminal.
    func comeBack() { cncurses_return(&terminal) }

    var size: Model.Size {
        cncurses_resize(output)
        return Model.Size(rows: max(1, Int(cncurses_rows())), columns: max(1, Int(cncurses_columns())))
    }

    /// Shows a frame. ncurses writes only what has changed.
    func show(_ frame: Frame, isColoured: Bool) {
        cncurses_clear()
        for (row, line) in frame.lines.enumerated() {
            var column = 0
            for span in line.spans {
                let colour = isColoured ? span.style.colour?.rawValue ?? 0 : 0
                cncurses_draw(Int32(row), Int32(column), span.text, span.style.bits, colour)
                column += CellText.width(span.text)
            }
        }
        cncurses_show(Int32(frame.cursor?.row ?? -1), Int32(frame.cursor?.column ?? 0))
    }

    /// Returns the keys that were pressed, without waiting. Nil if there are none.
    func keys(_ decoder: inout KeyDecoder) -> [Key]? {
        guard var keys = read(&decoder) else { return nil }
        while let key = read(&decoder) { keys += key }
        return keys
    }

    private func read(_ decoder: inout KeyDecoder) -> [Key]? {
        var value: UInt32 = 0
        switch cncurses_read(&value) {
        case 1: return decoder.character(value)
        case 2: return Int(value) == cncurses_mouse_key ? mouse() : decoder.key(Int(value))
        default: return nil
        }
    }

    private func mouse() -> [Key] {
        var (row, column): (Int32, Int32) = (0, 0)
        switch cncurses_mouse(&row, &column) {
        case 1: return [.click(row: Int(row), column: Int(column))]
        case 4: return [.wheel(-3)]
        case 5: return [.wheel(3)]
        default: return []
        }
    }
}

extension Style {
    fileprivate var bits: Int32 {
        (isBold ? Int32(cncurses_bold) : 0) | (isDim ? Int32(cncurses_dim) : 0)
            | (isReversed ? Int32(cncurses_reverse) : 0)
            | (isUnderlined ? Int32(cncurses_underline) : 0)
    }
}
