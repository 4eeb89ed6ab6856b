import Glibc
import HostSystem
import ModuleRuntime
import ViperKit

/// The output of an interactive session.
struct Display {
    let format: Format
    /// True if the format is text, and standard input and output are connected to a terminal. Otherwise, the session
    /// shows no prompts, spinners or screen changes between commands.
    let isLive: Bool

    init(_ format: Format) {
        self.format = format
        isLive = format == .text && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    /// Shows a screen as text after an empty line, or as one line of JSON.
    ///
    /// - Parameters:
    ///   - screen: The screen to show.
    ///   - isFirst: True to omit the empty line.
    func show(_ screen: Screen, isFirst: Bool) throws {
        switch format {
        case .text:
            let text = TextRenderer(style: Terminal.style, isNumbered: true).render(screen)
            try Terminal.write((isFirst ? "" : "\n") + text, to: STDOUT_FILENO)
        case .json: try Terminal.write(renderJSONLine(screen), to: STDOUT_FILENO)
        }
    }

    func prompt(_ text: String) throws(ViperError) {
        if isLive { try Terminal.write(text, to: STDOUT_FILENO) }
    }

    func say(_ error: ViperError) throws(ViperError) { try tell(ErrorReport(error: error).text) }

    func tell(_ text: String) throws(ViperError) { try Terminal.write(text, to: STDERR_FILENO) }
}
