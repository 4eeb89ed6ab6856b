import Glibc
import HostSystem
import ModuleRuntime
import ViperKit

enum Terminal {
    /// The style of standard output. It uses colour on a terminal, unless `NO_COLOR` is set (https://no-color.org) or
    /// `TERM` is `dumb`.
    static var style: TextStyle {
        let isOff =
            environmentVariable("NO_COLOR").map { !$0.isEmpty } ?? false || environmentVariable("TERM") == "dumb"
        return TextStyle(isColoured: isatty(STDOUT_FILENO) == 1 && !isOff)
    }

    /// The number of columns of the terminal. Nil if standard output is not a terminal, or does not tell.
    static var width: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Returns a table that fits into the terminal.
    static func text(of table: TextTable) -> String { table.text(style, width: width) }

    /// Writes text after all waiting log lines. This function replaces control characters that could affect the
    /// terminal. Use it for all text that may contain untrusted input.
    static func write(_ text: String, to descriptor: Int32) throws(ViperError) {
        LogOutput.flush()
        let style = descriptor == STDOUT_FILENO ? style : TextStyle(isColoured: false)
        try writeVerbatim(style.printable(text), to: descriptor)
    }

    /// Writes text unchanged. If the receiver cannot accept more data, waits until it can.
    static func writeVerbatim(_ text: String, to descriptor: Int32) throws(ViperError) {
        if let failure = writeAll(text, to: descriptor) {
            throw ViperError(
                .outputFailed, operation: "cannot write", subject: "the output",
                cause: String(cString: strerror(failure)))
        }
    }
}
