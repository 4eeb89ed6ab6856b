public import ViperKit

/// Writes each message as one line, with its source and level.
public struct LineLogger: Logger {
    /// Who speaks: a module's name, or `host`.
    public let source: String
    /// Messages below this level are not made.
    public let minimum: LogLevel
    private let write: @Sendable (String) -> Void

    /// A logger that hands each finished line, without its end, to `write`; from any thread.
    public init(source: String, minimum: LogLevel, write: @escaping @Sendable (String) -> Void) {
        (self.source, self.minimum, self.write) = (source, minimum, write)
    }

    public func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard level >= minimum else { return }
        write("\(source): \(level): \(printable(message()))")
    }

    func named(_ source: String) -> LineLogger { LineLogger(source: source, minimum: minimum, write: write) }
}
