public import ViperKit

/// A logger that writes each message as one line with its source and level.
public struct LineLogger: Logger {
    /// The name of the module, or `host`.
    public let source: String
    /// The lowest level that is written. The text of other messages is not evaluated.
    public let minimum: LogLevel
    private let minimumOfModules: LogLevel
    private let write: @Sendable (String) -> Void

    /// Creates a logger.
    ///
    /// - Parameters:
    ///   - modules: The lowest level of messages from modules. If nil, this is `minimum`.
    ///   - write: Receives each line without a line break, on any thread.
    public init(
        source: String, minimum: LogLevel, modules: LogLevel? = nil, write: @escaping @Sendable (String) -> Void
    ) {
        (self.source, self.minimum, self.write) = (source, minimum, write)
        minimumOfModules = modules ?? minimum
    }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level >= minimum else { return }
        write(printable("\(source): \(level): \(message())"))
    }

    package func named(_ module: String) -> LineLogger {
        LineLogger(source: module, minimum: minimumOfModules, write: write)
    }
}

extension LogLevel {
    /// Parses a line from another process, which its ``LineLogger`` or any other code has written.
    ///
    /// - Returns: The level and the text, without the source if that is `source`. The level of other lines is `info`.
    package static func read(_ line: String, of source: String) -> (LogLevel, String) {
        let parts = line.split(separator: ": ", maxSplits: 2, omittingEmptySubsequences: false)
        let level = [LogLevel.debug, .info, .warning, .error].first { parts.count == 3 && "\($0)" == parts[1] }
        guard let level else { return (.info, line) }
        return (level, parts[0] == source ? String(parts[2]) : "\(parts[0]): \(parts[2])")
    }
}
