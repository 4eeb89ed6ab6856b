import Glibc
import ViperKit
import ViperRuntime

/// Where a session shows what it has to show.
struct Display {
    let format: Options.Format
    /// Whether a person sits before it, who sees prompts, spinners, and changes that come by themselves.
    let isLive: Bool

    init(_ format: Options.Format) {
        self.format = format
        isLive = format == .text && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    }

    /// A screen as text after an empty line, or as one line of JSON.
    func show(_ screen: Screen, isFirst: Bool) throws {
        switch format {
        case .text:
            let text = TextRenderer(style: Terminal.style, isNumbered: true).render(screen)
            try Terminal.write((isFirst ? "" : "\n") + text, to: STDOUT_FILENO)
        case .json: try Terminal.write(renderJSONLine(screen), to: STDOUT_FILENO)
        }
    }

    /// Asks for a line. Only a person has to be asked.
    func prompt(_ text: String) throws(ViperError) {
        if isLive { try Terminal.write(text, to: STDOUT_FILENO) }
    }

    /// Says what went wrong, beside the results.
    func say(_ error: ViperError) throws(ViperError) { try tell("host: \(printable(error))\n") }

    /// Says something that is no result.
    func tell(_ text: String) throws(ViperError) { try Terminal.write(text, to: STDERR_FILENO) }
}
