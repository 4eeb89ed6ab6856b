public import ViperKit

/// Writes each message as one line, with its source and level.
public struct LineLogger: Logger {
    /// Who speaks: a module's name, or `host`.
    public let source: String
    /// Messages below this level are not made.
    public let minimum: LogLevel
    private let minimumOfModules: LogLevel
    private let write: @Sendable (String) -> Void

    /// A logger that hands each finished line, without its end, to `write`; from any thread.
    ///
    /// - Parameter modules: The level below which messages of modules are not made; else `minimum`.
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

    /// The logger of a module.
    package func named(_ module: String) -> LineLogger {
        LineLogger(source: module, minimum: minimumOfModules, write: write)
    }
}

extension LogLevel {
    /// A line that another process wrote, as its ``LineLogger`` has made it or as whatever else it printed.
    ///
    /// - Returns: Its level, `info` for what was printed; and its text, without the source where that is this one.
    package static func read(_ line: String, of source: String) -> (LogLevel, String) {
        let parts = line.split(separator: ": ", maxSplits: 2, omittingEmptySubsequences: false)
        let level = [LogLevel.debug, .info, .warning, .error].first { parts.count == 3 && "\($0)" == parts[1] }
        guard let level else { return (.info, line) }
        return (level, parts[0] == source ? String(parts[2]) : "\(parts[0]): \(parts[2])")
    }
}
