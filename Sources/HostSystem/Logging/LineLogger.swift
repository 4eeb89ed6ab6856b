package import ViperKit

/// A logger that writes each message as one line with its source and level, and with the ID of the request if there is
/// one.
package struct LineLogger: Logger {
    /// The module's name, or `host`.
    package let source: String
    /// The lowest level that the logger writes. The text of a message with a lower level is not evaluated.
    package let minimum: LogLevel
    private let minimumOfModules: LogLevel
    private let write: @Sendable (String) -> Void

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - modules: The lowest level that the modules' loggers write. Nil to use `minimum`.
    ///   - write: A closure that receives each line without its line break. It may be called on any thread.
    package init(
        source: String, minimum: LogLevel, modules: LogLevel? = nil, write: @escaping @Sendable (String) -> Void
    ) {
        (self.source, self.minimum, self.write) = (source, minimum, write)
        minimumOfModules = modules ?? minimum
    }

    package func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level >= minimum else { return }
        let request = RequestID.current.map { " [\($0)]" } ?? ""
        write(printable("\(source): \(level): \(message())\(request)"))
    }

    package func named(_ module: String) -> LineLogger {
        LineLogger(source: module, minimum: minimumOfModules, write: write)
    }
}

extension LogLevel {
    /// Parses a line of another process's output. The line may come from a ``LineLogger`` or from any other code.
    ///
    /// - Returns: The level and the message. The message omits the source's name if the name equals `source`. If the
    ///   line does not have the format of a ``LineLogger``, the level is `info` and the message is the whole line.
    package static func read(_ line: String, of source: String) -> (LogLevel, String) {
        guard let parts = parts(of: line) else { return (.info, line) }
        return (parts.level, parts.source == source ? parts.message : "\(parts.source): \(parts.message)")
    }

    /// Returns the parts of a line that a ``LineLogger`` has written. Nil if the line has another form.
    package static func parts(of line: some StringProtocol) -> (source: String, level: LogLevel, message: String)? {
        let parts = line.split(separator: ": ", maxSplits: 2, omittingEmptySubsequences: false)
        let level = [LogLevel.debug, .info, .warning, .error].first { parts.count == 3 && "\($0)" == parts[1] }
        return level.map { (String(parts[0]), $0, String(parts[2])) }
    }
}
