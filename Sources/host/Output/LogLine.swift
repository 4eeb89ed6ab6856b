import HostSystem
import ViperKit

/// A line of the log in parts, for `--log-format json`.
struct LogLine: Encodable {
    let time: String
    /// The module's name, or `host`.
    let source: String
    let level: String
    let message: String
    /// The ID of the request for which the line was written. Nil if there is none.
    let request: String?

    /// Creates a line by parsing its text, such as `people: warning: the file is empty [r-58f9]`.
    init(_ line: String, at time: String) {
        self.time = time
        let parts = RequestID.split(line)
        let line = parts?.line ?? line[...]
        request = parts?.id
        if let parts = LogLevel.parts(of: line) {
            (source, level, message) = (parts.source, "\(parts.level)", parts.message)
        } else {
            (source, level) = ("host", "info")
            message = String(line.hasPrefix("host: ") ? line.dropFirst(6) : line)
        }
    }
}
